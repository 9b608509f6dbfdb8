// Queries beside the queue's own operations: which job has a branch, what waits for which and how long, what is old.

import { Failure } from '../failure.ts';
import { jsonOf, type Query } from './database.ts';
import {
  askedSchema,
  type Job,
  jobSchema,
  plainUrl,
  queueOf,
  type Result,
  resultSchema,
  type Takes,
  takes,
} from './job.ts';
import type { Listed, Offer, RunTold } from './queue.ts';

/** Two jobs that work on one branch of a repository would each take the other's run. */
export async function refuseTwin(query: Query, { repo, branch }: Job): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtextextended('pawl fleet submit', 0))");
  const rows = await query<{ id: string; data: unknown }>(
    "select id, data from pawl.job where result is null and data->>'branch' = $1",
    [branch],
  );
  for (const { id, data } of rows) {
    const twin = jobSchema.safeParse(data);
    if (!twin.success || plainUrl(twin.data.repo) !== plainUrl(repo)) continue;
    const { plan, base } = twin.data;
    throw new Failure(
      'preflight',
      `the branch ${branch} is that of ${plan} on ${base}, which is in the queue as ${id}`,
      {
        hint: `\`pawl fleet cancel ${id}\` takes that out; --branch ${branch}-2 gives this one another branch.`,
      },
    );
  }
}

/** Makes jobs that were held by an earlier one of the same plan, base and branch wait for this one. */
export async function adoptHeld(query: Query, id: string, job: Job): Promise<void> {
  const { plan, base, branch } = job;
  await query(
    `update pawl.job set after = $1 where not sent and result is null and id <> $1 and after in (
       select id from pawl.job where result is not null and queue = $2 and data @> $3)`,
    [id, queueOf(job), jsonOf({ plan, base, branch })],
  );
}

/**
 * Removes what is no longer needed: 30 days after its last heartbeat, or for a job after its end if none waits for it.
 */
export async function removeOld(query: Query): Promise<void> {
  for (const sql of [
    `delete from pawl.worker where seen < now() - interval '30 days'`,
    `delete from pawl.request where at < now() - interval '30 days'`,
    `update pawl.job set after = null where result is not null and after is not null and ended < now() - interval '30 days'`,
    `delete from pawl.job old where result is not null and ended < now() - interval '30 days'
       and not exists (select 1 from pawl.job later where later.after = old.id)`,
  ])
    await query(sql);
}

/** Queues with something that the worker takes, most urgent first; the rest is left to others, unfetched. */
export async function listServed(query: Query, worker: Takes): Promise<readonly string[]> {
  const rows = await query<{ queue: string; asked: unknown }>(
    `select job.queue, jsonb_build_object('repo', job.data->'repo', 'labels', job.data->'labels') as asked
     from pawl.job join pgboss.job boss on boss.id = job.id and boss.name = job.queue
     where job.result is null and boss.state in ('created', 'retry')
     group by 1, 2 order by max(job.priority) desc, min(job.at)`,
  );
  const served = rows.filter(({ asked }) => {
    const read = askedSchema.safeParse(asked);
    return read.success && takes(worker, read.data);
  });
  return [...new Set(served.map(({ queue }) => queue))];
}

/** Offers a job that was given back to nobody for that long. pg-boss has one delay for all, and none after a death. */
export async function pause(query: Query, id: string, ms: number): Promise<void> {
  await query(
    `update pgboss.job set start_after = now() + $2 * interval '1 ms' where id = $1 and state = 'retry'`,
    [id, ms],
  );
}

/** Ends its pause; false if there is none. */
export async function endPause(query: Query, id: string): Promise<boolean> {
  const ended = await query(
    `update pgboss.job set start_after = now() where id = $1 and state = 'retry' and start_after > now() returning id`,
    [id],
  );
  return ended.length > 0;
}

/** The minimum that pg-boss accepts, seconds. */
export const leastHeartbeat = 10;

export async function readOffer(
  query: Query,
  { queue, id, attempt }: Pick<Offer, 'queue' | 'id' | 'attempt'>,
): Promise<Offer> {
  const [row] = await query<JobRow & Readonly<{ before_data: unknown }>>(
    `select job.*, before.result as before, before.data as before_data
     from pawl.job left join pawl.job before on before.id = job.after where job.id = $1`,
    [id],
  );
  const { data, troubles = 0, returned = 0, heartbeat = leastHeartbeat } = row ?? {};
  return {
    ...{ id, queue, attempt, data, troubles, deaths: attempt - returned },
    heartbeatMs: Math.max(leastHeartbeat, heartbeat) * 1_000,
    run: row?.run ?? undefined,
    after: row?.after ? { data: row.before_data, result: resultOf(row.before) } : undefined,
  };
}

/** Writes down how far the run of a job is. */
export async function noteRun(
  query: Query,
  { id, attempt }: Offer,
  { run, worker, headline, isOn }: RunTold,
): Promise<void> {
  await query(
    `update pawl.job set run = $2, worker = $3, headline = $4, told = now(),
       troubles = case when $5 then 0 else troubles end, returned = case when $5 then $6 else returned end
     where id = $1`,
    [id, run, worker, jsonOf(headline), isOn, attempt],
  );
}

/** The jobs that the condition names, as people see them. */
export async function listJobs(
  query: Query,
  where: string,
  values: readonly string[] = [],
): Promise<readonly Listed[]> {
  const rows = await query<Parameters<typeof listedOf>[0]>(
    `select job.*, boss.state::text as state, before.result as before,
       (extract(epoch from boss.start_after - now()) * 1000)::float8 as due,
       (extract(epoch from now() - job.told) * 1000)::float8 as age from pawl.job
     left join pgboss.job boss on boss.id = job.id and boss.name = job.queue
     left join pawl.job before on before.id = job.after
     where ${where}`,
    values,
  );
  return rows.map(listedOf);
}

export type JobRow = Readonly<{
  id: string;
  queue: string;
  data: unknown;
  after: string | null;
  priority: number;
  at: Date;
  run: string | null;
  result: unknown;
  sent: boolean;
  heartbeat: number;
  troubles: number;
  returned: number;
  trouble: string | null;
  worker: string | null;
  headline: unknown;
  /** Result of the job that it comes after. */
  before: unknown;
}>;

/**
 * The job as people see it; `state`: the engine's, null if the engine does not know the job; `due`: in how many ms it will
 * be offered.
 */
function listedOf(
  row: JobRow & Readonly<{ state: string | null; due: number | null; age: number | null }>,
): Listed {
  const result = resultOf(row.result);
  return {
    ...{ id: row.id, data: row.data, state: stateOf(row), priority: row.priority, at: row.at.getTime() },
    ...{ after: row.after ?? undefined, run: row.run ?? undefined, result, before: resultOf(row.before) },
    seen:
      row.age === null
        ? undefined
        : { worker: row.worker ?? '', headline: row.headline, ageMs: Math.max(0, row.age) },
    last: row.troubles > 0 ? { says: row.trouble ?? '', times: row.troubles, ...dueOf(row) } : undefined,
  };
}

function dueOf({ state, due }: Parameters<typeof listedOf>[0]): Readonly<{ dueMs?: number }> {
  return state === 'retry' && due !== null && due > 0 ? { dueMs: due } : {};
}

function stateOf({ result, sent, state, before }: Parameters<typeof listedOf>[0]): Listed['state'] {
  const kind = resultOf(result)?.kind;
  if (kind !== undefined) return kind === 'dead' ? 'dead' : 'over';
  if (sent) return state === 'active' ? 'active' : 'queued';
  return resultOf(before) ? 'held' : 'waiting';
}

/** A result as stored in the database; undefined if it is not a known one. */
export function resultOf(value: unknown): Result | undefined {
  const read = resultSchema.safeParse(value);
  return read.success ? read.data : undefined;
}
