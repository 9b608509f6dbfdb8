// The queue on pg-boss, which schedules: keys in order, priorities, heartbeats, offers. What else pawl knows about a job is
// in its own table, written in the same transactions. Uses the database's pool, and opens none.
import type { PgBoss } from 'pg-boss';
import type { Database, Query } from './database.ts';
import { jsonOf } from './database.ts';
import { type BackWhy, queueOf, type Result, type Takes } from './job.ts';
import {
  adoptHeld,
  endPause,
  type JobRow,
  leastHeartbeat,
  listJobs,
  listServed,
  noteRun,
  pause,
  readOffer,
  refuseTwin,
  removeOld,
  resultOf,
} from './job-table.ts';
import { databaseOf, openBoss } from './open-boss.ts';
import {
  type JobHold,
  type Listed,
  longestMs,
  type Offer,
  type Queue,
  type RunTold,
  type Submission,
} from './queue.ts';
import { tellFleet } from './signal.ts';

/** pg-boss never gives a job up: what kills workers is shown by the run's journal, or has no run (`judgeOffer`). */
const retryLimit = 1_000_000;

/** Opens the queue. `serving`: it also looks for workers that are gone, at this interval in ms. */
export async function openQueue(
  database: Database,
  { serving }: Readonly<{ serving?: number }> = {},
): Promise<Queue> {
  const boss = await openBoss(database, serving);
  return new BossQueue(
    database,
    boss,
    serving === undefined ? undefined : setInterval(() => lookForGone(database, boss, serving), serving),
  );
}

/** While the database was unreachable nobody could send a heartbeat: until it is known to have been there for a heartbeat's time (two looks), silence means nothing. */
function lookForGone({ thereForMs }: Database, boss: PgBoss, everyMs: number): void {
  if (thereForMs() < 2 * everyMs) return;
  // It is unreachable, or a bug of pawl's: the next look will fail too, and whoever asks for jobs is told.
  boss.supervise().catch(() => {});
}

class BossQueue implements Queue {
  readonly #database: Database;
  readonly #boss: PgBoss;
  readonly #looks: NodeJS.Timeout | undefined;

  constructor(database: Database, boss: PgBoss, looks: NodeJS.Timeout | undefined) {
    this.#database = database;
    this.#boss = boss;
    this.#looks = looks;
  }

  async submit(submission: Submission): Promise<void> {
    const { id, job, key, priority, after, heartbeatMs } = submission;
    const queue = queueOf(job);
    if (!(await this.#boss.getQueue(queue)))
      await this.#boss.createQueue(queue, { policy: 'key_strict_fifo' });
    await this.#database.transaction(async (query) => {
      await refuseTwin(query, job);
      // Locked, so that whoever completes it sees this one.
      const [before] =
        after === undefined
          ? []
          : await query<JobRow>('select result from pawl.job where id = $1 for update', [after]);
      const isReady = after === undefined || resultOf(before?.result)?.kind === 'done';
      await query(
        `insert into pawl.job (id, queue, data, key, priority, after, heartbeat, sent) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, queue, jsonOf(job), key, priority, after ?? null, Math.ceil(heartbeatMs / 1_000), isReady],
      );
      if (isReady) await this.#send(query, id);
      await adoptHeld(query, id, job);
      await tellFleet(query);
    });
  }

  async release(id: string): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<JobRow>('select sent, result from pawl.job where id = $1 for update', [id]);
      if (!row || row.result !== null) return false;
      await tellFleet(query);
      if (row.sent) return endPause(query, id);
      await this.#send(query, id);
      return true;
    });
  }

  async #send(query: Query, id: string): Promise<void> {
    const [row] = await query<{ queue: string; key: string; priority: number; heartbeat: number }>(
      'update pawl.job set sent = true where id = $1 returning queue, key, priority, heartbeat',
      [id],
    );
    if (!row) return;
    await this.#boss.send(
      row.queue,
      {},
      {
        ...{ id, priority: row.priority, singletonKey: row.key, retryLimit, retryDelay: 0 },
        heartbeatSeconds: Math.max(leastHeartbeat, row.heartbeat),
        expireInSeconds: longestMs / 1_000 + 1_800,
        retentionSeconds: 365 * 86_400,
        deleteAfterSeconds: 30 * 86_400,
        db: databaseOf(query),
      },
    );
  }

  async offer(worker: Takes, most: number): Promise<readonly Offer[]> {
    const offers: Offer[] = [];
    while (offers.length < most) {
      const offer = await this.#next(worker);
      if (!offer) break;
      offers.push(offer);
    }
    return offers;
  }

  async #next(worker: Takes): Promise<Offer | undefined> {
    for (const queue of await listServed(this.#database.query, worker)) {
      const [job] = await this.#boss.fetch(queue, { includeMetadata: true });
      if (job) return readOffer(this.#database.query, { queue, id: job.id, attempt: job.retryCount });
    }
    return undefined;
  }

  async keep({ queue, id, attempt }: Offer): Promise<JobHold> {
    if (affected(await this.#boss.touch(queue, { id, retryCount: attempt }))) return 'kept';
    const [found] = await listJobs(this.#database.query, 'job.id::text = $1', [id]);
    return found?.state === 'queued' ? 'free' : 'lost';
  }

  async complete({ queue, id, attempt }: Offer, result: Result): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const db = databaseOf(query);
      if (
        !affected(
          await this.#boss.complete(queue, { id, retryCount: attempt }, JSON.parse(jsonOf(result)), { db }),
        )
      )
        return false;
      await this.#end(query, id, result);
      return true;
    });
  }

  async cancel(id: string, by: string): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      const [row] = await query<JobRow>('select queue, result from pawl.job where id = $1 for update', [id]);
      if (!row || row.result !== null) return false;
      await this.#boss.cancel(row.queue, id, { db: databaseOf(query) });
      await this.#end(query, id, { kind: 'cancelled', exit: 130, says: `taken out of the queue by ${by}` });
      return true;
    });
  }

  /** Records its result; jobs that come after it can begin if it is done. */
  async #end(query: Query, id: string, result: Result): Promise<void> {
    await query('update pawl.job set result = $2, ended = now() where id = $1', [id, jsonOf(result)]);
    // The next with its key may begin, or those that come after it.
    await tellFleet(query);
    if (result.kind !== 'done') return;
    const next = await query<JobRow>('select id from pawl.job where after = $1 and not sent order by at', [
      id,
    ]);
    for (const row of next) await this.#send(query, row.id);
  }

  async giveBack({ queue, id, attempt }: Offer, { trouble, afterMs = 0 }: BackWhy = {}): Promise<void> {
    await this.#database.transaction(async (query) => {
      await query(
        `update pawl.job set returned = returned + 1, troubles = troubles + $2, trouble = coalesce($3, trouble)
         where id = $1`,
        [id, trouble === undefined ? 0 : 1, trouble ? JSON.parse(jsonOf(trouble)) : null],
      );
      const db = databaseOf(query);
      await this.#boss.fail(queue, { id, retryCount: attempt }, { message: 'given back' }, { db });
      await pause(query, id, afterMs);
      await tellFleet(query);
    });
  }

  noteRun(offer: Offer, told: RunTold): Promise<void> {
    return noteRun(this.#database.query, offer, told);
  }

  removeOld(): Promise<void> {
    return removeOld(this.#database.query);
  }

  async list(): Promise<readonly Listed[]> {
    return listJobs(
      this.#database.query,
      "job.result is null or job.ended > now() - interval '1 day' order by job.at",
    );
  }

  async find(id: string): Promise<Listed | undefined> {
    const [found] = await listJobs(
      this.#database.query,
      'job.id::text = $1 or job.run = $1 order by job.at desc limit 1',
      [id],
    );
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looks);
    await this.#boss.stop({ graceful: false, close: false });
  }
}

/** pg-boss reports how many rows it changed, although its types do not say so. */
function affected(response: unknown): boolean {
  const count = (response as Readonly<{ affected?: unknown }> | null)?.affected;
  // Taken for a yes, it would let two workers settle one job.
  if (typeof count !== 'number') throw new Error('pg-boss does not say how many jobs it changed');
  return count !== 0;
}
