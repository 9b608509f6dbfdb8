// Reads what a fleet's database knows of its queue, workers and runs: a cache, with the age of each.
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import { type Job, jobSchema, plainUrl } from '../../fleet/job.ts';
import type { Listed, Queue } from '../../fleet/queue.ts';
import { listRequests } from '../../fleet/requests.ts';
import type { FleetJob, FleetView } from '../../report/status/fleet-view.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import type { CliContext } from '../context.ts';
import { type Fleet, openFleet, readFleetConfig } from './settings.ts';
import { submitWords, whyQueued } from './why-queued.ts';

export async function readFleet({ database, queue }: Fleet): Promise<FleetView> {
  const jobs = await queue.list();
  const known = await readKnown(database, jobs);
  return {
    ...{ database: database.address, workers: known.workers },
    jobs: jobs.map((job) => jobOf(job, known)),
  };
}

export async function readJob(context: CliContext, wish: string): Promise<FleetJob> {
  await using fleet = await openFleet(readFleetConfig(context));
  // Awaited here, since the fleet is closed when this returns.
  return await showJob(fleet, await needJob(fleet.queue, wish));
}

async function showJob({ queue, database }: Fleet, job: Listed): Promise<FleetJob> {
  const asked = await listRequests(database.query, job.id);
  const requests = asked.map(({ wish, by, at, reply }) => ({
    ...{ wish: nameSchema.catch('?').parse(wish), by, at: new Date(at).toISOString() },
    ...defined({ reply }),
  }));
  const shown = jobOf(job, await readKnown(database, await queue.list()));
  return requests.length === 0 ? shown : { ...shown, requests };
}

/** One job by its whole id, if it still exists; nothing is asked about others. */
export async function findJob({ queue, database }: Fleet, id: string): Promise<FleetJob | undefined> {
  const found = await queue.find(id);
  return found && jobOf(found, await readKnown(database, []));
}

const acts = {
  cancel: { act: (queue: Queue, id: string, by: string) => queue.cancel(id, by), not: 'is already over' },
  release: {
    act: (queue: Queue, id: string) => queue.release(id),
    not: 'is not waiting for another job or a time',
  },
} as const;

/** Takes a job out of the queue, and from its worker; or lets one begin that is held, or waits for another or its time. */
export async function changeJob(
  context: CliContext,
  word: keyof typeof acts,
  wish: string,
): Promise<FleetJob> {
  const config = readFleetConfig(context);
  await using fleet = await openFleet(config);
  const { id } = await needJob(fleet.queue, wish);
  const { act, not } = acts[word];
  if (!(await act(fleet.queue, id, describeAsker(context, config))))
    throw new Failure('usage', `${id} ${not}`, { hint: `\`pawl fleet ${id}\` shows it.` });
  // Awaited here, since the fleet is closed when this returns.
  return await showJob(fleet, await needJob(fleet.queue, id));
}

/** The job or run that is meant: by its id, its run's id, or the beginning of either. */
export async function needJob(queue: Queue, wish: string): Promise<Listed> {
  const exact = await queue.find(wish);
  if (exact) return exact;
  const all = (await queue.list()).filter(({ id, run }) => id.startsWith(wish) || run?.startsWith(wish));
  const [only] = all;
  if (only && all.length === 1) return only;
  throw new Failure(
    'usage',
    `${all.length === 0 ? 'no job' : `${all.length} jobs`} of the fleet ${all.length === 0 ? 'begins' : 'begin'} with ${wish}`,
    { hint: '`pawl fleet` lists them.' },
  );
}

/** `jobs`: all others that are shown. */
type FleetSources = Readonly<{
  workers: FleetView['workers'];
  jobs: readonly Readonly<{ listed: Listed; job: Job }>[];
  active: readonly Readonly<{ id: string; job: Job }>[];
}>;

async function readKnown(database: Database, all: readonly Listed[]): Promise<FleetSources> {
  const jobs = all.flatMap((listed) => {
    const job = jobSchema.safeParse(listed.data);
    return job.success ? [{ listed, job: job.data }] : [];
  });
  const active = jobs.flatMap(({ listed, job }) =>
    listed.state === 'active' ? [{ id: listed.id, job }] : [],
  );
  return { workers: await readWorkers(database), jobs, active };
}

const nameSchema = z.object({ do: z.string() }).transform((wish) => wish.do);

const headlineSchema = z.object({
  branch: z.string(),
  tasks: z.object({ total: z.number(), closed: z.number() }),
  task: z.object({ id: z.string(), title: z.string() }).optional(),
});

async function readWorkers({ query }: Database): Promise<FleetView['workers']> {
  const rows = await query<FleetView['workers'][number] & Readonly<{ id: string }>>(
    `select id, name, repos, labels, slots, busy, standing as says, version, extract(epoch from now() - seen)::float * 1000 as "ageMs"
     from pawl.worker where seen > now() - interval '1 day'
       and not exists (select 1 from pawl.worker later where later.name = worker.name and later.since > worker.seen)
     order by name, since`,
  );
  // A worker that died and was restarted on its machine is no longer listed. Several on one machine are distinguished by
  // their ids.
  const isShared = (name: string) => rows.filter((row) => row.name === name).length > 1;
  return rows.map(({ id, ...row }) => ({
    ...row,
    name: isShared(row.name) ? `${row.name}/${id.slice(0, 4)}` : row.name,
  }));
}

function jobOf(listed: Listed, known: FleetSources): FleetJob {
  const { id, data, state, after, before, priority, at, run, result, last, seen } = listed;
  const read = jobSchema.safeParse(data);
  const headline = headlineSchema.safeParse(seen?.headline);
  return {
    ...{ id, state, priority, submitted: new Date(at).toISOString() },
    ...(read.success ? describeJob(listed, read.data, known) : {}),
    ...defined({ after, run, result, last, heldBy: state === 'held' ? before?.kind : undefined }),
    ...(seen && headline.success
      ? { seen: { ...headline.data, worker: seen.worker, ageMs: seen.ageMs } }
      : {}),
  };
}

function describeJob(listed: Listed, job: Job, { workers, jobs, active }: FleetSources): Partial<FleetJob> {
  const { repo, base, plan, labels, by } = job;
  return {
    ...{ repo, base, plan, labels, by, again: submitWords(job, listed.priority) },
    ...(listed.state === 'queued' ? whyQueued(job, workers, active) : {}),
    ...defined({ later: findLater(listed, job, jobs) }),
  };
}

/** The last later job that continued with the same plan on the same branch. */
function findLater(
  { id, at }: Listed,
  { repo, plan, base, branch }: Job,
  jobs: FleetSources['jobs'],
): string | undefined {
  return jobs
    .filter(
      ({ listed, job }) =>
        listed.at > at &&
        listed.id !== id &&
        job.plan === plan &&
        job.base === base &&
        job.branch === branch &&
        plainUrl(job.repo) === plainUrl(repo),
    )
    .sort((one, other) => other.listed.at - one.listed.at)[0]?.listed.id;
}
