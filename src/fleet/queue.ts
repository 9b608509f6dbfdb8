// The queue of a fleet as the rest of pawl sees it, whichever engine schedules it. Whoever is offered a job keeps it by signs of
// life; an offer is no promise to be the only one: git decides whose the run is.
import type { BackWhy, Job, Result, Takes } from './job.ts';

/** A run is stopped before this and offered again: the engine keeps no job longer than a day. */
export const longestMs = 23 * 3_600_000;

/** A job that is offered to a worker. */
export type Offer = Readonly<{
  id: string;
  queue: string;
  /** How often it was offered before. */
  attempt: number;
  /** As it stands in the database: not judged yet. */
  data: unknown;
  /** How often in a row a worker went silent with it, with nothing done in between. */
  deaths: number;
  /** How often in a row its machine was at fault. */
  troubles: number;
  /** Its worker is taken for gone after a silence of this long. */
  heartbeatMs: number;
  /** The run that was begun for it. */
  run: string | undefined;
  /** The job that it comes after, if it comes after one: as it stands in the database, and what became of it. */
  after: Readonly<{ data: unknown; result: Result | undefined }> | undefined;
}>;

/** A job as people see it. Instants are epoch ms, by the database's clock. */
export type Listed = Readonly<{
  id: string;
  data: unknown;
  /** `held`: what it comes after is over, and not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over' | 'dead';
  after: string | undefined;
  /** Result of the one that it comes after. */
  before: Result | undefined;
  priority: number;
  at: number;
  run: string | undefined;
  result: Result | undefined;
  /** Why a machine gave it back last, how often in a row machines did, and in how many ms somebody is offered it again. */
  last: Readonly<{ says: string; times: number; dueMs?: number }> | undefined;
}>;

/** Whose an offered job is: `kept`: still this worker's; `free`: its signs of life were late, and nobody else has it yet; `lost`: another's, or over. */
export type Kept = 'kept' | 'free' | 'lost';

/** What is sent with a job. */
export type Submission = Readonly<{
  id: string;
  job: Job;
  key: string;
  priority: number;
  /** Id of a job that has to be done first. */
  after: string | undefined;
  heartbeatMs: number;
}>;

/** A queue; each of its acts fails with Failure('environment') while the database is away. */
export interface Queue extends AsyncDisposable {
  submit(submission: Submission): Promise<void>;
  /** Up to `most` jobs that this worker may begin now, the most pressing first. */
  offer(worker: Takes, most: number): Promise<readonly Offer[]>;
  /** A sign of life. */
  keep(offer: Offer): Promise<Kept>;
  /** It is over; false: it was no longer this worker's. Jobs that come after it can begin if it is done. */
  complete(offer: Offer, result: Result): Promise<boolean>;
  /** It is offered to others, at once if nothing else is said. */
  giveBack(offer: Offer, why?: BackWhy): Promise<void>;
  /** Takes a job away, also from who works on it; false: it is over. Jobs that come after it are held. */
  cancel(id: string, by: string): Promise<boolean>;
  /** Lets a job begin that waits for another, or for its time; false: it waits for neither. */
  release(id: string): Promise<boolean>;
  /** The run that was begun for it, or has come on: faults and deaths of machines are counted anew. */
  noteRun(offer: Offer, run: string): Promise<void>;
  /** Removes what is older than 30 days and nobody needs. */
  removeOld(): Promise<void>;
  /** All that are not over, and those that ended last. */
  list(): Promise<readonly Listed[]>;
  find(id: string): Promise<Listed | undefined>;
}
