// The queue of a fleet as the rest of pawl sees it, whichever engine schedules it. Whoever is offered a job keeps it by
// heartbeats; an offer does not guarantee being the only one: git decides whose the run is.
import type { BackWhy, Job, Result, Takes } from './job.ts';

/** A run is stopped before this and offered again: the engine keeps no job longer than a day. */
export const longestMs = 23 * 3_600_000;

export type Offer = Readonly<{
  id: string;
  queue: string;
  /** How often it was offered before. */
  attempt: number;
  /** As stored in the database: not judged yet. */
  data: unknown;
  /** How often in a row a worker fell silent with it, with nothing done in between. */
  deaths: number;
  /** How often in a row its machine was at fault. */
  troubles: number;
  /** Its worker is considered gone after this long without a heartbeat. */
  heartbeatMs: number;
  /** The run that was begun for it. */
  run: string | undefined;
  /** The job that it comes after, if any: as stored in the database, and its result. */
  after: Readonly<{ data: unknown; result: Result | undefined }> | undefined;
}>;

/** A job as people see it. Instants are epoch ms, by the database's clock. */
export type Listed = Readonly<{
  id: string;
  data: unknown;
  /** `held`: the job it comes after is over but not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over' | 'dead';
  after: string | undefined;
  /** Result of the job that it comes after. */
  before: Result | undefined;
  priority: number;
  at: number;
  run: string | undefined;
  result: Result | undefined;
  /** Its run as its worker last told; `ageMs`: how long ago. */
  seen: Readonly<{ worker: string; headline: unknown; ageMs: number }> | undefined;
  /** Why a machine last gave it back, how often in a row machines did, and in how many ms it is offered again. */
  last: Readonly<{ says: string; times: number; dueMs?: number }> | undefined;
}>;

/**
 * Whose an offered job is: `kept`: still this worker's; `free`: its heartbeats were late, and nobody else has it yet;
 * `lost`: another's, or over.
 */
export type JobHold = 'kept' | 'free' | 'lost';

export type Submission = Readonly<{
  id: string;
  job: Job;
  key: string;
  priority: number;
  /** Id of a job that must be done first. */
  after: string | undefined;
  heartbeatMs: number;
}>;

/**
 * How far a job's run is, as its worker tells; `isOn`: it has made progress, so that the counts of machine faults and deaths
 * start over.
 */
export type RunTold = Readonly<{ run: string; worker: string; headline: unknown; isOn: boolean }>;

/** A queue; each operation throws Failure('environment') while the database is unreachable. */
export interface Queue extends AsyncDisposable {
  submit(submission: Submission): Promise<void>;
  /** Up to `most` jobs that this worker may begin now, most urgent first. */
  offer(worker: Takes, most: number): Promise<readonly Offer[]>;
  /** Sends a heartbeat. */
  keep(offer: Offer): Promise<JobHold>;
  /** It is over; false if it was no longer this worker's. Jobs that come after it can begin if it is done. */
  complete(offer: Offer, result: Result): Promise<boolean>;
  /** It is offered to others, at once unless `why` says otherwise. */
  giveBack(offer: Offer, why?: BackWhy): Promise<void>;
  /** Takes a job away, even from its worker; false if it is over. Jobs that come after it are held. */
  cancel(id: string, by: string): Promise<boolean>;
  /** Lets a job begin that waits for another, or for its time; false if it waits for neither. */
  release(id: string): Promise<boolean>;
  /** Tells how far its run is. */
  noteRun(offer: Offer, told: RunTold): Promise<void>;
  /** Removes what is older than 30 days and no longer needed. */
  removeOld(): Promise<void>;
  /** All that are not over, and those that ended most recently. */
  list(): Promise<readonly Listed[]>;
  find(id: string): Promise<Listed | undefined>;
}
