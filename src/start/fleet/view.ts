// The fleet of the settings: its database and queue, and what they know of jobs, workers and runs, with the age of
// each.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { fixed } from '../../config/fixed.ts';
import type { SettingsLayer } from '../../config/layer.ts';
import { loadConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import type { Wish } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import { isAllowed, type Job, jobSchema, type Listed, plainUrl, type Result } from '../../fleet/job.ts';
import type { Queue } from '../../fleet/queue.ts';
import { stemOf, wholeNames } from '../../plan/plan-name.ts';
import { sleep } from '../../process/clock.ts';
import { type FleetJob, type FleetView, isThere } from '../../report/status/format-fleet.ts';
import { describeAsker } from '../carry/prepare-carry.ts';
import type { CliContext } from '../context.ts';
import { severalMeant } from '../resolve-word.ts';

export async function readFleet(queue: Queue): Promise<FleetView> {
  const workers = await readWorkers(queue.database);
  const jobs = await queue.list();
  return { database: queue.database.address, workers, jobs: jobs.map((job) => jobOf(job, workers)) };
}

/** `cancels`: also takes it out of the queue, or from its worker. */
export async function readJob(context: CliContext, wish: string, cancels: boolean): Promise<FleetJob> {
  const config = readFleetConfig(context);
  await using queue = await openFleet(config);
  const { id } = await needJob(queue, wish);
  if (cancels && !(await queue.cancel(id, describeAsker(context, config))))
    throw new Failure('usage', `${id} is already over`, { hint: `\`pawl fleet ${id}\` shows it.` });
  // Awaited: the fleet is closed when this returns.
  return await showJob(queue, id);
}

export async function showJob(queue: Queue, named: string): Promise<FleetJob> {
  const job = await needJob(queue, named);
  const asked = await queue.requests([job.id]);
  const requests = asked.map(({ wish, by, at, reply }) => ({
    wish: nameSchema.catch('?').parse(wish),
    by,
    at: at.toISOString(),
    ...defined({ reply }),
  }));
  const shown = jobOf(job, await readWorkers(queue.database));
  return requests.length === 0 ? shown : { ...shown, requests };
}

/** By its id or its run's, the beginning of either, or its plan's name. */
export async function needJob(queue: Queue, wish: string): Promise<Listed> {
  const exact = await queue.find(wish);
  if (exact) return exact;
  const jobs = await queue.list();
  const begun = jobs.filter(({ id, run }) => id.startsWith(wish) || run?.startsWith(wish));
  const planOf = (data: unknown) => jobSchema.safeParse(data).data?.plan ?? '';
  const isMeant = ({ data }: Listed) => wholeNames(planOf(data)).includes(stemOf(wish));
  const all = begun.length > 0 ? begun : jobs.filter(isMeant);
  const ids = all.map(({ id }) => id);
  if (ids.length > 1) throw severalMeant(wish, 'jobs of the fleet', ids);
  if (all[0]) return all[0];
  throw new Failure('usage', `there is no job of the fleet that “${wish}” names`, {
    hint: '`pawl fleet` lists them.',
  });
}

const nameSchema = z.object({ do: z.string() }).transform((wish) => wish.do);

const headlineSchema = z.object({
  branch: z.string(),
  tasks: z.object({ total: z.number(), closed: z.number() }),
  task: z.object({ id: z.string(), title: z.string() }).optional(),
});

/** A worker that died and was restarted is not listed. */
function readWorkers({ query }: Database): Promise<FleetView['workers']> {
  return query<FleetView['workers'][number]>(
    `select name, repos, slots, busy, says, version, extract(epoch from now() - seen)::float * 1000 as "ageMs"
     from pawl.worker where seen > now() - interval '1 day'
       and not exists (select 1 from pawl.worker later where later.name = worker.name and later.since > worker.seen)
     order by name, since`,
  );
}

function jobOf(listed: Listed, workers: FleetView['workers']): FleetJob {
  const { id, data, state, after, before, at, run, result, worker, ageMs, troubles, dueMs } = listed;
  const read = jobSchema.safeParse(data);
  const headline = headlineSchema.safeParse(listed.headline).data;
  const says = listed.trouble ?? 'a worker fell silent';
  const { repo, base, plan, by } = read.data ?? {};
  return {
    id,
    state,
    submitted: at.toISOString(),
    ...defined({ repo, base, plan, by, result, after: after ?? undefined, run: run ?? undefined }),
    ...defined({
      heldBy: state === 'held' ? before?.kind : undefined,
      lack: read.success && state === 'queued' ? lackOf(read.data, workers) : undefined,
      last:
        troubles > 0
          ? { says, times: troubles, ...(state !== 'active' && dueMs > 0 ? { dueMs } : {}) }
          : undefined,
      seen: headline && { ...headline, worker: worker ?? '', ageMs: ageMs ?? 0 },
    }),
  };
}

/** What a person must do for a queued job to begin. */
export function lackOf({ repo }: Pick<Job, 'repo'>, workers: FleetView['workers']): string | undefined {
  const there = workers.filter(isThere);
  if (there.length === 0) return 'no worker is running: `pawl fleet work` starts one';
  const allowing = there.filter(({ repos }) => isAllowed(repo, repos));
  if (allowing.length === 0) return `no running worker allows ${plainUrl(repo)} (fleet.repos)`;
  if (allowing.some(({ says }) => says === '')) return undefined;
  return allowing.map(({ name, says }) => `${name} would take it, but ${says}`).join('; ');
}

/** Without a repository: the user's, the environment's, the command line's. */
export function readFleetConfig(context: CliContext, flags?: SettingsLayer): Config {
  const { env, folders } = context;
  return loadConfig({ root: folders.config, env, folders, trusted: false, ...defined({ flags }) }).config;
}

export async function openFleet({ fleet: { url } }: Config): Promise<Queue> {
  if (url === undefined)
    throw new Failure('config', 'no fleet is configured: fleet.url names its PostgreSQL database', {
      hint: 'Set PAWL_FLEET_URL, or fleet.url in your own config.yaml (pawl config path); see docs/fleet.md.',
    });
  const { openDatabase } = await import('../../fleet/database.ts');
  const { Queue } = await import('../../fleet/queue.ts');
  return new Queue(await openDatabase(url), fixed.heartbeatMs);
}

/** Whether it helps a job that is over so. */
const resolves: Readonly<Partial<Record<Wish['do'], (kind: Result['kind']) => boolean>>> = {
  answer: (kind) => kind === 'asks',
  'set-budget': (kind) => kind === 'budget',
  retry: (kind) => kind !== 'done',
};

const replyMs = 20_000;

export async function askJob(context: CliContext, named: string, wish: Wish): Promise<string> {
  const config = readFleetConfig(context);
  await using queue = await openFleet(config);
  const job = await needJob(queue, named);
  const by = describeAsker(context, config);
  const short = job.id.slice(0, 8);
  const told = `\`pawl fleet ${short}\` shows what becomes of it.`;
  if (job.result) {
    const { kind, says } = job.result;
    if (!resolves[wish.do]?.(kind))
      throw new Failure('usage', `${short} is over as ${kind}: ${says}`, {
        hint: `\`pawl fleet ${short}\` says what continues it.`,
      });
    // Before the job is queued, so that nobody begins without it.
    const id = randomUUID();
    await queue.ask(job.id, by, wish);
    await queue.submit(id, jobSchema.parse(job.data), job.run === null ? job.after : null);
    return `Asked. The plan is in the queue again, as ${id}; its run is told when it continues.`;
  }
  if (job.state !== 'active' && ['stop', 'pause', 'continue'].includes(wish.do))
    throw new Failure('usage', `nobody works on ${short} now`, {
      hint: `\`pawl fleet cancel ${short}\` takes it out of the queue.`,
    });
  const id = await queue.ask(job.id, by, wish);
  if (job.state !== 'active') return `Asked. The run is told when it continues. ${told}`;
  for (const until = performance.now() + replyMs; performance.now() < until && !context.signal.aborted; ) {
    const reply = (await queue.requests([job.id])).find((each) => each.id === id)?.reply;
    if (reply?.ok) return reply.text;
    if (reply) throw new Failure('usage', reply.text);
    await sleep(500, context.signal);
  }
  return `Asked, and not taken yet. ${told}`;
}
