// The queue of a fleet: jobs in order, those of one base of a repository one after another. Heartbeats keep an
// offered job; whose the run is, git decides. And what people ask of a job's run: its worker hands that to its pawl and
// stores the reply; if the worker dies in between, it is delivered again.
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { type Database, jsonOf, type Query } from './database.ts';
import { type BackWhy, type Job, type Listed, plainUrl, type Result, repoPattern, resultOf } from './job.ts';

/** After this a run is stopped and offered again: no worker has one for ever. */
export const longestMs = 23 * 3_600_000;

export type Offer = Readonly<{
  id: string;
  /** This time included. */
  attempt: number;
  /** Not judged yet. */
  data: unknown;
  /** Times in a row that its machine was at fault or fell silent, with nothing done in between. */
  troubles: number;
  /** The job it comes after, as stored. */
  after: Readonly<{ data: unknown; result: unknown }> | null;
}>;

/** Of a run, for people. */
export type RunHeadline = Readonly<{ run: string; worker: string; headline: Readonly<{ tasks: unknown }> }>;

const replySchema = z.object({ ok: z.boolean(), text: z.string() });

/** `by`: who and where, for people. */
export type FleetRequest = Readonly<{
  id: string;
  job: string;
  by: string;
  at: Date;
  /** As stored: whoever hands it over judges it. */
  wish: unknown;
  /** Undefined: not taken yet. */
  reply: z.infer<typeof replySchema> | undefined;
}>;

/** An arbitrary lock number. Two offers at once could be of one base. */
const offering = 0x7061_776d;

/** Its `after` is not done. One whose run has begun waits no more: `after` may have been submitted again since. */
const waits = (job: 'job' | 'other') => `(${job}.run is null and ${job}.after is not null
  and (select result->>'kind' from pawl.job before where before.id = ${job}.after) is distinct from 'done')`;

/** Nobody has it, or whoever had it is silent; it waits for none, and no other of its base is under way. */
const mayBegin = `job.result is null and job.due <= now() and job.repo ~ any($1) and not job.id::text = any($2)
  and (job.beat is null or job.beat < now() - $3 * interval '1 ms') and not ${waits('job')}
  and not exists (select from pawl.job other where other.repo = job.repo and other.base = job.base
    and other.result is null and other.attempt > 0 and other.id <> job.id
    and (other.beat >= now() - $3 * interval '1 ms' or not ${waits('other')}))`;

/** All throw Failure('environment') while the database is unreachable. */
export class Queue implements AsyncDisposable {
  readonly database: Database;
  readonly #heartbeatMs: number;

  constructor(database: Database, heartbeatMs: number) {
    this.database = database;
    this.#heartbeatMs = heartbeatMs;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.database[Symbol.asyncDispose]();
  }

  get #query(): Query {
    return this.database.query;
  }

  /**
   * `after` must be done first; not what would wait for this one. What waits for an earlier job of the same branch waits
   * for this one, and what was asked of it goes to this one, unless it is for a pawl that has ended since.
   */
  async submit(id: string, job: Job, after: string | null = null): Promise<void> {
    const repo = plainUrl(job.repo);
    const made = await this.#query(
      `with recursive awaited as (
         select id, after, result from pawl.job where id = $6
         union select job.id, job.after, job.result from pawl.job join awaited on job.id = awaited.after
           where awaited.result->>'kind' is distinct from 'done'),
       stale as (delete from pawl.request using pawl.job past where request.job = past.id and past.result is not null
         and past.repo = $2 and past.branch = $3 and reply is null and wish->>'do' in ('stop', 'pause', 'continue'))
       insert into pawl.job (id, repo, branch, base, data, after) values ($1, $2, $3, $4, $5, $6)
       on conflict (repo, branch) do update set id = $1, base = $4, data = $5, after = $6, at = now(), due = now(),
         attempt = 0, troubles = 0, run = null, told = null, headline = null, result = null
       where job.result is not null and job.id not in (select id from awaited) returning id`,
      [id, repo, job.branch, job.base, jsonOf(job), after],
    );
    if (made.length === 0) await this.#refuseTwin(repo, job.branch);
  }

  /** Two jobs on one branch would each take the other's run; one that waits for itself never begins. */
  async #refuseTwin(repo: string, branch: string): Promise<never> {
    const [twin] = await this.#query<{ id: string; isOver: boolean }>(
      'select id, result is not null as "isOver" from pawl.job where repo = $1 and branch = $2',
      [repo, branch],
    );
    if (twin?.isOver)
      throw new Failure(
        'usage',
        `the plan would wait for itself: --after names its own earlier job ${twin.id}, or one that waits for it`,
        {
          hint: 'Leave out --after, or name a job that does not wait for this plan; `pawl fleet` lists them.',
        },
      );
    throw new Failure('preflight', `the branch ${branch} is that of a plan in the queue, as ${twin?.id}`, {
      hint: `\`pawl fleet cancel ${twin?.id}\` takes that out; --branch ${branch}-2 gives this one another branch.`,
    });
  }

  /** `open`: the worker's jobs. */
  async offer(repos: readonly string[], open: readonly string[]): Promise<Offer | undefined> {
    // Nobody could send a heartbeat to an unreachable database: silence means nothing until it has been there that
    // long.
    const isTelling = this.database.thereForMs() >= this.#heartbeatMs;
    const values = [repos.map(repoPattern), open, isTelling ? this.#heartbeatMs : longestMs * 1_000];
    // An idle worker asks every few seconds: without the lock that all take.
    if ((await this.#query(`select from pawl.job where ${mayBegin} limit 1`, values)).length === 0)
      return undefined;
    return this.database.transaction(async (query) => {
      await query('select pg_advisory_xact_lock($1)', [offering]);
      const [offer] = await query<Offer>(
        `update pawl.job taken set attempt = attempt + 1, beat = now(), troubles = troubles + (beat is not null)::int
         from (select id from pawl.job where ${mayBegin} order by at limit 1) next where taken.id = next.id
         returning taken.id, taken.data, attempt, troubles,
           (select jsonb_build_object('data', data, 'result', result) from pawl.job where id = taken.after) as after`,
        values,
      );
      return offer;
    });
  }

  /** A heartbeat; false if the job is another worker's, or over. Progress lets troubles count from 0 again. */
  keep(offer: Offer, about?: RunHeadline): Promise<boolean> {
    if (!about) return this.#update(offer, 'beat = now()');
    return this.#update(
      offer,
      `beat = now(), told = now(), run = $3, worker = $4, headline = $5,
       troubles = case when headline->'tasks' is distinct from $5::jsonb->'tasks' then 0 else troubles end`,
      [about.run, about.worker, jsonOf(about.headline)],
    );
  }

  /** False if no longer this worker's. */
  complete(offer: Offer, result: Result): Promise<boolean> {
    return this.#update(offer, 'result = $3, ended = now(), beat = null', [jsonOf(result)]);
  }

  /** To others, at once unless `why` says otherwise. */
  async giveBack(offer: Offer, { trouble, afterMs = 0 }: BackWhy = {}): Promise<void> {
    await this.#update(
      offer,
      `beat = null, due = now() + $3 * interval '1 ms', troubles = troubles + $4, trouble = coalesce($5, trouble)`,
      [afterMs, trouble === undefined ? 0 : 1, trouble === undefined ? null : JSON.parse(jsonOf(trouble))],
    );
  }

  /** Only by the worker that has it. */
  async #update({ id, attempt }: Offer, set: string, values: readonly unknown[] = []): Promise<boolean> {
    const done = await this.#query(
      `update pawl.job set ${set} where id = $1 and attempt = $2 and result is null and beat is not null returning id`,
      [id, attempt, ...values],
    );
    return done.length > 0;
  }

  /** Even from its worker; false if over. Jobs after it are held. */
  async cancel(id: string, by: string): Promise<boolean> {
    const result: Result = { kind: 'cancelled', exit: 130, says: `taken out of the queue by ${by}` };
    const done = await this.#query(
      'update pawl.job set result = $2, ended = now(), beat = null where id = $1 and result is null returning id',
      [id, jsonOf(result)],
    );
    return done.length > 0;
  }

  async removeOld(): Promise<void> {
    await this.#query("delete from pawl.worker where seen < now() - interval '30 days'");
    await this.#query(
      `delete from pawl.job where ended < now() - interval '30 days' and result is not null
         and not exists (select from pawl.job later where later.after = job.id and later.result is null)`,
    );
  }

  /** Returns the request's id. */
  async ask(job: string, by: string, wish: unknown): Promise<string> {
    const [row] = await this.#query<{ id: string }>(
      'insert into pawl.request (job, asked_by, wish) values ($1, $2, $3) returning id',
      [job, by, jsonOf(wish)],
    );
    return row?.id ?? '';
  }

  /** In order. */
  async requests(jobs: readonly string[]): Promise<readonly FleetRequest[]> {
    if (jobs.length === 0) return [];
    const rows = await this.#query<FleetRequest>(
      'select id, job, asked_by as by, at, wish, reply from pawl.request where job = any($1) order by at',
      [jobs],
    );
    return rows.map((row) => ({ ...row, reply: replySchema.safeParse(row.reply).data }));
  }

  async answer(id: string, reply: NonNullable<FleetRequest['reply']>): Promise<void> {
    await this.#query('update pawl.request set reply = $2 where id = $1', [id, jsonOf(reply)]);
  }

  list(): Promise<readonly Listed[]> {
    return this.#list("job.result is null or job.ended > now() - interval '1 day'");
  }

  async find(id: string): Promise<Listed | undefined> {
    return (await this.#list('job.id::text = $1 or job.run = $1', [id])).at(-1);
  }

  async #list(where: string, values: readonly string[] = []): Promise<readonly Listed[]> {
    const rows = await this.#query<Listed>(
      `select job.*, before.result as before,
         case when job.result is not null then 'over' when job.beat is not null then 'active'
           when not ${waits('job')} then 'queued' when before.result is null then 'waiting' else 'held' end as state,
         (extract(epoch from job.due - now()) * 1000)::float8 as "dueMs",
         greatest(0, extract(epoch from now() - job.told) * 1000)::float8 as "ageMs"
       from pawl.job left join pawl.job before on before.id = job.after where ${where} order by job.at`,
      values,
    );
    return rows.map((row) => ({ ...row, result: resultOf(row.result), before: resultOf(row.before) }));
  }
}
