// A worker of a fleet: takes jobs as long as it has a free slot, works on each by a pawl of its own, and says what became of it.
// The queue may be away meanwhile: work goes on, and is told of later. The first signal drains it.
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { Failure } from '../../failure.ts';
import { isAway } from '../../fleet/database-error.ts';
import { jobSchema, type Verdict } from '../../fleet/job.ts';
import type { Offer, Queue } from '../../fleet/queue.ts';
import { sleep } from '../../process/clock.ts';
import { formatCount } from '../../report/text/figure.ts';
import { machineOf } from '../carry/prepare-carry.ts';
import { type CliContext, printNote } from '../context.ts';
import { readFlags } from '../flags.ts';
import type { OptionSpec } from '../option.ts';
import { keepHouse } from './housekeeping.ts';
import { type Look, lookAtMachine } from './lack.ts';
import { type JobDeps, jobFolder, runJob } from './run-job.ts';
import { openFleet, readFleetConfig } from './settings.ts';
import { Standing } from './standing.ts';

/** Options of `pawl worker` as its command gets them. */
export type WorkerOptions = Readonly<{
  slots?: string;
  labels?: string;
  sandbox?: Config['sandbox']['kind'];
  once?: boolean;
}>;

const pollMs = 1_000;
const dayMs = 24 * 3_600_000;

/** How long a job is kept back after a trouble, each time longer by as much. */
const troubleMs = 10_000;

/** Works until it is ended; with `once`, until the queue has nothing for it. */
export async function runWorker(
  context: CliContext,
  options: WorkerOptions,
  specs: readonly OptionSpec[],
): Promise<number> {
  const config = readFleetConfig(context, await readFlags(options, specs));
  const { slots, labels, repos, heartbeat } = config.fleet;
  const sandbox = options.sandbox ?? 'docker';
  if (repos.length === 0)
    throw new Failure('config', 'this worker would take no plan: fleet.repos allows no repository', {
      hint: 'Name the repositories in your own config.yaml (pawl config path), or by PAWL_FLEET_REPOS.',
    });
  const folders = {
    // Work that was not carried yet is nowhere else: no cache.
    jobs: path.join(context.folders.state, 'fleet', 'jobs'),
    mirrors: path.join(context.folders.cache, 'fleet', 'mirrors'),
  };
  const machine = await lookAtMachine(context, {
    jobs: folders.jobs,
    config: { ...config, sandbox: { ...config.sandbox, kind: sandbox } },
  });
  await using fleet = await openFleet(config, { serving: Math.max(1_000, heartbeat / 10) });
  const { database, queue } = fleet;
  const name = machineOf(config);
  await using standing = new Standing(database, {
    id: context.random(8),
    name,
    version: context.version,
    slots,
    labels,
    repos,
  });
  printNote(context, `${name} takes plans from ${database.address}: ${slots} at a time, sandbox ${sandbox}.`);
  const worker = { context, queue, standing, machine, deps: { config, sandbox, folders } };
  const open = new Map<string, Held>();
  let told = '';
  const tell = (text: string) => {
    if (text !== told && text !== '') printNote(context, text);
    told = text;
  };
  let house: Promise<void> = Promise.resolve();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  while (!context.signal.aborted) {
    if (Date.now() - cleanedAt > dayMs) {
      cleanedAt = Date.now();
      const isOpen = (job: string) => [...open.keys()].some((id) => jobFolder(folders.jobs, id) === job);
      const kept = keepHouse(context, { queue, ...folders, clockMs: config.carry.patience, isOpen });
      house = kept.catch((error: Error) => printNote(context, `${error.stack}`));
    }
    const lack = await machine.lack();
    let says = lack ?? '';
    let offers: readonly Offer[] = [];
    try {
      offers =
        lack === undefined && open.size < slots
          ? await queue.offer({ repos, labels }, slots - open.size)
          : [];
    } catch (error) {
      says = describeAway(error);
    }
    for (const offer of offers) {
      const known = open.get(offer.id);
      if (known) {
        // Its signs of life were late. What is in work here is not begun a second time.
        known.offer = offer;
        printNote(context, `${nameOf(offer)}: offered again, and still at work here`);
        continue;
      }
      const held: Held = { offer, over: Promise.resolve() };
      held.over = work(worker, held).finally(() => open.delete(offer.id));
      open.set(offer.id, held);
    }
    if (options.once && offers.length === 0 && open.size === 0 && says === '') break;
    // With all slots at work this is all that it asks the database.
    await standing.tell({ busy: open.size, says: lack ?? '' }).catch((error) => {
      says = describeAway(error);
    });
    tell(says);
    await sleep(offers.length > 0 && open.size < slots ? 0 : pollMs, context.signal);
  }
  if (open.size > 0)
    printNote(
      context,
      `Shutting down: carrying ${formatCount(open.size, 'plan')} to give ${open.size === 1 ? 'it' : 'them'} back.`,
    );
  await standing.tell({ busy: open.size, says: 'it is ending' }).catch(describeAway);
  await Promise.all([house, ...[...open.values()].map(({ over }) => over)]);
  return 0;
}

/** What a database that is away means for the worker; any other error goes on. */
function describeAway(error: unknown): string {
  if (!isAway(error)) throw error;
  return `${(error as Failure).message}; what is begun goes on`;
}

type Worker = Readonly<{
  context: CliContext;
  queue: Queue;
  standing: Standing;
  machine: Look;
  deps: Pick<JobDeps, 'config' | 'sandbox' | 'folders'>;
}>;

/** A job in work here, by its last offer. */
type Held = { offer: Offer; over: Promise<void> };

/** One job from its offer to its end. */
async function work({ context, queue, standing, machine, deps }: Worker, held: Held): Promise<void> {
  const { offer } = held;
  const lost = new AbortController();
  let lostOffer: Offer | undefined;
  // By the job's own heartbeat, which its submitter told the queue.
  const beat = setInterval(async () => {
    const asked = held.offer;
    try {
      // Late signs of life end nothing while nobody else has the job: whose its run is git decides.
      if ((await queue.keep(asked)) !== 'lost' || asked !== held.offer) return;
      lostOffer = asked;
      lost.abort();
    } catch (error) {
      // That it cannot be asked says nothing of whose the job is: git does.
      if (!isAway(error)) lost.abort();
    }
  }, offer.heartbeatMs / 3);
  const name = nameOf(offer);
  printNote(context, `${name}: ${offer.attempt === 0 ? 'begun' : 'offered again'}`);
  let noted = offer.run;
  let known: number | undefined;
  try {
    const verdict = await runJob(context, offer, {
      ...deps,
      signal: AbortSignal.any([lost.signal, context.signal]),
      draining: () => context.signal.aborted,
      onRun: (state) => {
        standing.tellRun(offer, state);
        machine.see(state.limits);
        const { run } = state.started;
        const closed = [...state.tasks.values()].filter(({ standing }) => standing === 'closed').length;
        const isOn = closed > (known ?? closed);
        known = closed;
        if (run === noted && !isOn) return;
        noted = run;
        void queue.noteRun(held.offer, run).catch(() => {
          noted = undefined;
        });
      },
    });
    // What is wrong here or at the remote takes a while to pass.
    if (verdict.kind === 'back' && verdict.trouble) {
      machine.doubt();
      await sleep(troubleMs * (offer.troubles + 1), AbortSignal.any([lost.signal, context.signal]));
    }
    clearInterval(beat);
    const end =
      lostOffer === held.offer
        ? `stopped here, as ${await describeLoss(queue, offer)}`
        : await settle(queue, held.offer, verdict, context.signal);
    printNote(context, `${name}: ${end}`);
  } catch (error) {
    // Whatever it is, the other slots are worth more; the job is offered again once its signs of life have stopped.
    printNote(context, `${name}: ${error instanceof Failure ? error.message : (error as Error).stack}`);
  } finally {
    clearInterval(beat);
  }
}

/** Says to the queue what became of it, as soon as that can be told; in words. */
async function settle(queue: Queue, offer: Offer, verdict: Verdict, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      if (verdict.kind !== 'over') {
        const trouble = verdict.kind === 'back' && verdict.trouble ? verdict.says : undefined;
        await queue.giveBack(offer, trouble);
        return trouble === undefined ? 'given back' : `given back: ${trouble}`;
      }
      const { kind, says } = verdict.result;
      const isTold = await queue.complete(offer, verdict.result);
      return `${kind}: ${says}${isTold ? '' : ` (but ${await describeLoss(queue, offer)})`}`;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (signal.aborted) return 'finished, but the queue could not be told; the next worker will find out';
      await sleep(2_000, signal);
    }
  }
}

/** Why a job is this worker's no more, in words. */
async function describeLoss(queue: Queue, { id }: Offer): Promise<string> {
  const found = await queue.find(id).catch((error) => void describeAway(error));
  if (!found?.result) return 'another worker has been given it';
  const { kind, says } = found.result;
  return `the job is over as ${kind}: ${says}`;
}

function nameOf({ id, data }: Offer): string {
  const job = jobSchema.safeParse(data);
  return job.success ? `${id.slice(0, 8)} ${job.data.plan} of ${job.data.repo}` : id.slice(0, 8);
}
