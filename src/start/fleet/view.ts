// Reads what a fleet's database knows of its queue, workers and runs: a cache, with the age of each.
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { listCaps, listShut } from '../../fleet/account-caps.ts';
import type { Database } from '../../fleet/database.ts';
import { type Job, jobSchema, takes } from '../../fleet/job.ts';
import type { Listed, Queue } from '../../fleet/queue.ts';
import { branchName } from '../../plan/branch.ts';
import { type FleetJob, type FleetView, isThere } from '../../report/standing/fleet-view.ts';
import { shellWord } from '../../shell-word.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import type { CliContext } from '../context.ts';
import { type Fleet, openFleet, readFleetConfig } from './settings.ts';

/** All of it. */
export async function readFleet({ database, queue }: Fleet): Promise<FleetView> {
  const jobs = await queue.list();
  const known = await readKnown(database);
  return {
    ...{ database: database.address, workers: known.workers },
    jobs: jobs.map((job) => jobOf(job, known)),
    ...{ caps: await listCaps(database), shut: await listShut(database) },
  };
}

/** One job, by its id or that of its run. */
export async function readJob(context: CliContext, wish: string): Promise<FleetJob> {
  await using fleet = await openFleet(readFleetConfig(context));
  return jobOf(await needJob(fleet.queue, wish), await readKnown(fleet.database));
}

/** One job by its whole id, if it is still there. */
export async function findJob({ queue, database }: Fleet, id: string): Promise<FleetJob | undefined> {
  const found = await queue.find(id);
  return found && jobOf(found, await readKnown(database));
}

/** What a person can do to a job, and why it may not apply. */
const acts = {
  cancel: { act: (queue: Queue, id: string, by: string) => queue.cancel(id, by), not: 'is over already' },
  release: { act: (queue: Queue, id: string) => queue.release(id), not: 'waits for no other job' },
} as const;

/** Takes a job out of the queue, and from its worker; or lets one begin that is held, or waits for another. */
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
  return jobOf(await needJob(fleet.queue, id), await readKnown(fleet.database));
}

/** The job or run that is meant: by its id, that of its run, or the beginning of either. */
export async function needJob(queue: Queue, wish: string): Promise<Listed> {
  const exact = await queue.find(wish);
  if (exact) return exact;
  const all = (await queue.list()).filter(({ id, run }) => id.startsWith(wish) || run?.startsWith(wish));
  const [only] = all;
  if (only && all.length === 1) return only;
  throw new Failure(
    'usage',
    `${all.length === 0 ? 'no job' : `${all.length} jobs`} of the fleet ${all.length === 0 ? 'begins' : 'begin'} with ${wish}`,
    {
      hint: '`pawl fleet` lists them.',
    },
  );
}

type Known = Readonly<{ runs: ReadonlyMap<string, Run>; workers: FleetView['workers'] }>;

async function readKnown(database: Database): Promise<Known> {
  return { runs: await readRuns(database), workers: await readWorkers(database) };
}

const headlineSchema = z.object({
  branch: z.string(),
  tasks: z.object({ total: z.number(), closed: z.number() }),
  task: z.object({ id: z.string(), title: z.string() }).optional(),
});

type Run = Readonly<{ run: string; worker: string; headline: unknown; age: number }>;

async function readRuns({ query }: Database): Promise<ReadonlyMap<string, Run>> {
  const rows = await query<Run>(
    `select run, worker, headline, extract(epoch from now() - seen)::float * 1000 as age from pawl.run
     where seen > now() - interval '30 days'`,
  );
  return new Map(rows.map((row) => [row.run, row]));
}

async function readWorkers({ query }: Database): Promise<FleetView['workers']> {
  const rows = await query<FleetView['workers'][number] & Readonly<{ id: string }>>(
    `select id, name, repos, labels, slots, busy, standing as says, version, extract(epoch from now() - seen)::float * 1000 as "ageMs"
     from pawl.worker where seen > now() - interval '1 day' order by name, since`,
  );
  // Several of one machine are told apart by their ids.
  const isShared = (name: string) => rows.filter((row) => row.name === name).length > 1;
  return rows.map(({ id, ...row }) => ({
    ...row,
    name: isShared(row.name) ? `${row.name}/${id.slice(0, 4)}` : row.name,
  }));
}

function jobOf(
  { id, data, state, after, before, priority, at, run, result, last }: Listed,
  { runs, workers }: Known,
): FleetJob {
  const job = jobSchema.safeParse(data);
  const known = run === undefined ? undefined : runs.get(run);
  const headline = headlineSchema.safeParse(known?.headline);
  return {
    ...{ id, state, priority, submitted: new Date(at).toISOString() },
    ...(job.success
      ? {
          repo: job.data.repo,
          base: job.data.base,
          plan: job.data.plan,
          labels: job.data.labels,
          again: wordsFor(job.data),
          by: job.data.by,
        }
      : {}),
    ...(job.success &&
    state === 'queued' &&
    !workers.some((worker) => isThere(worker) && takes(worker, job.data))
      ? { lack: lackOf(job.data.labels) }
      : {}),
    ...defined({ after, run, result, last, heldBy: state === 'held' ? before?.kind : undefined }),
    ...(known && headline.success
      ? { seen: { ...headline.data, worker: known.worker, ageMs: Math.max(0, known.age) } }
      : {}),
  };
}

/** What submits the same plan in the same way. */
function wordsFor({ repo, repoNamed, base, branch, plan, labels }: Job): string {
  const options = [
    `--base ${shellWord(base)}`,
    ...labels.map((label) => `--label ${shellWord(label)}`),
    ...(branch === branchName(plan) ? [] : [`--branch ${shellWord(branch)}`]),
    ...(repoNamed ? [`--repo ${shellWord(repo)}`] : []),
  ];
  return ['pawl submit', shellWord(plan), ...options].join(' ');
}

function lackOf(labels: readonly string[]): string {
  return `no worker takes it: none that allows its repository${labels.length > 0 ? ` and has ${labels.join(', ')}` : ''} is there`;
}
