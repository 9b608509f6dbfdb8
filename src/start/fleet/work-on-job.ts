// One job of a worker from its offer to its end: kept by heartbeats, worked on, and reported to the queue, which may be
// unreachable.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { isAway } from '../../fleet/database-error.ts';
import { type BackWhy, jobSchema, type Verdict } from '../../fleet/job.ts';
import type { Offer, Queue } from '../../fleet/queue.ts';
import type { RunState } from '../../journal/state.ts';
import { sleep } from '../../process/clock.ts';
import { type CliContext, printNote } from '../context.ts';
import type { Look } from './lack.ts';
import { type JobDeps, runJob } from './run-job.ts';
import type { Standing } from './standing.ts';

/** What a worker works with. */
export type Worker = Readonly<{
  context: CliContext;
  queue: Queue;
  standing: Standing;
  machine: Look;
  deps: Pick<JobDeps, 'config' | 'sandbox' | 'folders'>;
}>;

/** A job in work here, by its last offer. */
export type Held = { offer: Offer };

/**
 * Works on it. Whatever goes wrong must not affect the other slots; the job is offered again once its heartbeats have
 * stopped.
 */
export async function workOnJob(worker: Worker, held: Held): Promise<void> {
  const { context, queue, machine, deps } = worker;
  const { offer } = held;
  const tell = (text: string) => printNote(context, `${nameOf(offer)}: ${text}`);
  tell(offer.attempt === 0 ? 'begun' : 'offered again');
  using life = keepAlive(queue, held);
  const signal = AbortSignal.any([life.lost, context.signal]);
  try {
    const onRun = followRun(worker, held);
    const draining = () => context.signal.aborted;
    const verdict = await runJob(context, offer, { ...deps, signal, draining, onRun });
    if (verdict.kind === 'back' && verdict.trouble !== undefined) machine.doubt();
    if (life.isLost()) tell(`stopped here, as ${await describeLoss(queue, offer)}`);
    else tell(await settle(queue, held.offer, verdict, context.signal));
  } catch (error) {
    tell(error instanceof Failure ? error.message : `${(error as Error).stack}`);
  }
}

/** Sends heartbeats, at the job's own interval, which its submitter set. `lost`: aborted once somebody else has it. */
function keepAlive(queue: Queue, held: Held) {
  const lost = new AbortController();
  let lostOffer: Offer | undefined;
  const beat = setInterval(async () => {
    const asked = held.offer;
    try {
      // Late heartbeats end nothing while nobody else has the job: git decides whose its run is.
      if ((await queue.keep(asked)) !== 'lost' || asked !== held.offer) return;
      lostOffer = asked;
      lost.abort();
    } catch (error) {
      // A failure to ask says nothing about whose the job is: git decides that.
      if (!isAway(error)) lost.abort();
    }
  }, held.offer.heartbeatMs / 3);
  return {
    lost: lost.signal,
    isLost: () => lostOffer === held.offer,
    [Symbol.dispose]: () => clearInterval(beat),
  };
}

/** Reports where its run is, and tells the queue that it has begun or made progress. */
function followRun({ queue, standing, machine }: Worker, held: Held): (state: RunState) => void {
  let noted = held.offer.run;
  let known: number | undefined;
  return (state) => {
    standing.tellRun(held.offer, state);
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
  };
}

/** Tells the queue what became of it, as soon as that is possible; returns that in words. */
async function settle(queue: Queue, offer: Offer, verdict: Verdict, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      if (verdict.kind !== 'over') {
        const { trouble, afterMs }: BackWhy = verdict.kind === 'back' ? verdict : {};
        await queue.giveBack(offer, defined({ trouble, afterMs }));
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

/** Why a job is no longer this worker's, in words. */
async function describeLoss(queue: Queue, { id }: Offer): Promise<string> {
  const found = await queue.find(id).catch((error) => {
    if (!isAway(error)) throw error;
    return undefined;
  });
  if (!found?.result) return 'another worker has it now';
  const { kind, says } = found.result;
  return `the job is over as ${kind}: ${says}`;
}

/** A job in a worker's words. */
export function nameOf({ id, data }: Offer): string {
  const job = jobSchema.safeParse(data);
  return job.success ? `${id.slice(0, 8)} ${job.data.plan} of ${job.data.repo}` : id.slice(0, 8);
}
