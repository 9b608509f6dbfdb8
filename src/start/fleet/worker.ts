// A worker of a fleet: takes jobs into free slots, each with its own pawl, which works on while the queue is
// unreachable. The first signal drains it. And what keeps its machine from taking any, and what others see of it.
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { makeFolder } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import { isAway } from '../../fleet/database-error.ts';
import { sleep } from '../../process/clock.ts';
import type { FleetView } from '../../report/status/format-fleet.ts';
import { formatCount } from '../../report/text/figure.ts';
import { judgeSandbox } from '../agent-start.ts';
import { machineOf } from '../carry/prepare-carry.ts';
import { type WorkerOptions, workerOptions } from '../command-options.ts';
import { type CliContext, printNote } from '../context.ts';
import { readFlags } from '../load-settings.ts';
import { keepHouseDaily } from './housekeeping.ts';
import { jobFolder, type Worker } from './run-job.ts';
import { openFleet, readFleetConfig } from './view.ts';
import { type HeldJob, handOver, workOnJob } from './work-on-job.ts';

/** Between looks at the queue and at what is asked of its jobs. */
const lookMs = fixed.heartbeatMs / 6;

/** With `once`: until the queue has nothing for it. */
export async function runWorker(context: CliContext, options: WorkerOptions): Promise<number> {
  const settings = readFleetConfig(context, readFlags(options, workerOptions));
  refuseIdle(settings);
  const kind = options.sandbox ?? 'docker';
  const config = { ...settings, sandbox: { ...settings.sandbox, kind } };
  // Uncarried work exists nowhere else, so this is no cache.
  const jobs = path.join(context.folders.state, 'fleet', 'jobs');
  const { slots, repos } = config.fleet;
  const tell = tellChanges(context);
  await using queue = await untilThere(context, () => openFleet(config), { tell, ...options });
  if (!queue) return 0;
  const { database } = queue;
  const name = machineOf(config);
  const about = { id: context.random(8), name, version: context.version, slots, repos };
  await using standing = standingOf(database, about);
  const worker: Worker = { context, config, jobs, name, queue };
  const open: Open = new Map();
  const isOpen = (job: string) => [...open.keys()].some(({ offer }) => jobFolder(jobs, offer) === job);
  await using _house = keepHouseDaily(context, worker, isOpen);
  tell(`${name} takes plans from ${database.address}: ${slots} at a time, sandbox ${kind}.`);
  let wake = new AbortController();
  let lack: string | undefined;
  let lookAtMs = 0;
  while (!context.signal.aborted) {
    wake = new AbortController();
    // Each look may start docker's client.
    if (performance.now() >= lookAtMs) {
      lack = await findLack(worker);
      lookAtMs = performance.now() + fixed.heartbeatMs;
    }
    // A job that ends meanwhile leaves its slot to one that the queue was not asked for.
    const wasIdle = open.size === 0;
    const { says, taken } = await takeJobs(worker, { open, standing, lack, over: () => wake.abort() });
    if (options.once && wasIdle && taken === 0) {
      if (says !== '') throw new Failure('environment', says);
      break;
    }
    tell(says);
    await sleep(lookMs, AbortSignal.any([context.signal, wake.signal]));
  }
  if (open.size > 0)
    printNote(context, `Shutting down: carrying ${formatCount(open.size, 'plan')}, to be given back.`);
  await standing.tell({ busy: open.size, says: 'it is ending' }).catch(describeAway);
  await Promise.all(open.values());
  return 0;
}

function refuseIdle({ fleet: { repos } }: Config): void {
  if (repos.length > 0) return;
  throw new Failure('config', 'this worker would take no plan: fleet.repos allows no repository', {
    hint: 'Name the repositories in your own config.yaml (pawl config path), or by PAWL_FLEET_REPOS.',
  });
}

/** Waits for the database, except with `once`. Undefined: the worker was ended before. */
async function untilThere<T>(
  { signal }: CliContext,
  open: () => Promise<T>,
  { tell, once = false }: Readonly<{ tell: (text: string) => void; once?: boolean }>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      if (once || !isAway(error)) throw error;
      const { message, hint } = error as Failure;
      tell(`${message}; the worker waits for it. ${hint ?? ''}`);
      await sleep(5_000, signal);
    }
  }
  return undefined;
}

function tellChanges(context: CliContext): (text: string) => void {
  let told = '';
  return (text) => {
    if (text !== told && text !== '') printNote(context, text);
    told = text;
  };
}

/** Jobs in slots, with the end of each. */
type Open = Map<HeldJob, Promise<void>>;

/** `lack`: what the machine lacks. */
type Slots = Readonly<{ open: Open; standing: Standing; lack: string | undefined; over: () => void }>;

/** `says`: what keeps it from taking more. */
async function takeJobs(
  worker: Worker,
  { open, standing, lack, over }: Slots,
): Promise<Readonly<{ says: string; taken: number }>> {
  const { queue, config } = worker;
  const { slots, repos } = config.fleet;
  let taken = 0;
  try {
    while (lack === undefined && open.size < slots) {
      const ids = [...open.keys()].map(({ offer }) => offer.id);
      const offer = await queue.offer(repos, ids);
      if (!offer) break;
      taken += 1;
      const held: HeldJob = { offer };
      const ended = workOnJob(worker, held).finally(() => {
        open.delete(held);
        over();
      });
      open.set(held, ended);
    }
    await handOver(worker, [...open.keys()]);
    await standing.tell({ busy: open.size, says: lack ?? '' });
  } catch (error) {
    return { says: describeAway(error), taken };
  }
  return { says: lack ?? '', taken };
}

/** Rethrows errors that do not mean an unreachable database. */
function describeAway(error: unknown): string {
  if (!isAway(error)) throw error;
  return `${(error as Failure).message}; running plans continue`;
}

/** Why it takes no plans now: a folder or an engine may come back. */
export async function findLack({
  context,
  config,
  jobs,
}: Pick<Worker, 'context' | 'config' | 'jobs'>): Promise<string | undefined> {
  try {
    makeFolder(jobs, 0o700);
    if (config.sandbox.kind !== 'none') await judgeSandbox(context, config, jobs);
    const { bavail, bsize } = statfsSync(jobs);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= fixed.minDiskGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, and it takes ${fixed.minDiskGb}; free some: the clones still in ${jobs} hold commits that no remote has`;
  } catch (error) {
    const { message, hint } = error as Failure;
    return `no plans are taken: ${message}${hint === undefined ? '' : `. ${hint}`}`;
  }
}

/** What others see of a worker. */
type Standing = Readonly<ReturnType<typeof standingOf>>;

type WorkerRow = Pick<FleetView['workers'][number], 'name' | 'version' | 'slots' | 'repos'>;

export function standingOf(
  { query }: Pick<Database, 'query'>,
  { id, name, version, slots, repos }: WorkerRow & Readonly<{ id: string }>,
) {
  return {
    /** With each look at the queue. `says`: why it takes no jobs. Throws a Failure if the database is unreachable. */
    tell: ({ busy, says }: Readonly<{ busy: number; says: string }>) =>
      query(
        `insert into pawl.worker (id, name, version, slots, repos, busy, says) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set busy = $6, says = $7, seen = now()`,
        [id, name, version, slots, repos, busy, says],
      ),
    // Also removes those of its machine that died before it began.
    [Symbol.asyncDispose]: async () => {
      const gone = `delete from pawl.worker gone using pawl.worker own
         where own.id = $1 and (gone.id = own.id or (gone.name = own.name and gone.seen < own.since))`;
      // The work is worth more than what others see of it.
      await query(gone, [id]).catch(() => {});
    },
  };
}
