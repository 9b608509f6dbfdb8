// One job of a worker from offer to end; the queue may be unreachable.
import path from 'node:path';
import { fixed } from '../../config/fixed.ts';
import { wishSchema } from '../../control/request.ts';
import { Failure, needFailure } from '../../failure.ts';
import { isAway } from '../../fleet/database-error.ts';
import { type JobVerdict, jobSchema } from '../../fleet/job.ts';
import type { FleetRequest, Offer, Queue } from '../../fleet/queue.ts';
import { listRuns } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { sleep } from '../../process/clock.ts';
import { viewRun } from '../../report/view/view-run.ts';
import { type CliContext, printNote } from '../context.ts';
import { findRunHolder } from '../find-run.ts';
import { sendCommand } from '../send-command.ts';
import { readRunIn } from './housekeeping.ts';
import { runJob, type Worker } from './run-job.ts';

/** `root`: the clone of its run, once there is one. */
export type HeldJob = Readonly<{ offer: Offer }> & { root?: string };

/** Failures must not affect the other slots; the job is offered again once its heartbeats have stopped. */
export async function workOnJob(worker: Worker, held: HeldJob): Promise<void> {
  const { context, queue } = worker;
  const { offer } = held;
  const tell = (text: string) => printNote(context, `${nameOf(offer)}: ${text}`);
  tell(offer.attempt === 1 ? 'begun' : 'offered again');
  using life = keepAlive(worker, held);
  const signal = AbortSignal.any([life.lost, context.signal]);
  try {
    const onRoot = async (root: string) => {
      held.root = root;
      await handOver(worker, [held], true);
    };
    const verdict = await runJob(worker, offer, { signal, onRoot, beat: life.beat });
    if (life.lost.aborted) tell(`stopped here, as ${await describeLoss(queue, offer)}`);
    else tell(await settle(queue, offer, verdict, context.signal));
  } catch (error) {
    tell(error instanceof Failure ? error.message : `${(error as Error).stack}`);
  }
}

/** `lost`: aborted once somebody else has it. */
function keepAlive({ queue, name }: Worker, held: HeldJob) {
  const lost = new AbortController();
  const beat = async () => {
    try {
      const state = held.root === undefined ? undefined : readRunIn(held.root);
      const run = state && { run: state.started.run, worker: name, headline: headlineOf(state) };
      if (!(await queue.keep(held.offer, run))) lost.abort();
    } catch {
      // No answer does not mean that it is another's: git decides that.
    }
  };
  const timer = setInterval(beat, fixed.heartbeatMs / 3);
  return { lost: lost.signal, beat, [Symbol.dispose]: () => clearInterval(timer) };
}

/** What `pawl fleet` shows of the run. */
function headlineOf(state: RunState) {
  const { branch, tasks, inWork } = viewRun(state, { isHeld: true });
  const task = inWork.at(-1);
  return { branch, tasks, task: task && { id: task.id, title: task.title } };
}

/** As soon as possible; returns in words what became of it. */
async function settle(queue: Queue, offer: Offer, verdict: JobVerdict, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      if (verdict.kind !== 'over') {
        await queue.giveBack(offer, verdict);
        const { trouble } = verdict;
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

async function describeLoss(queue: Queue, { id }: Offer): Promise<string> {
  const found = await queue.find(id).catch((error) => {
    if (!isAway(error)) throw error;
    return undefined;
  });
  if (!found?.result) return 'another worker has it now';
  const { kind, says } = found.result;
  return `the job is over as ${kind}: ${says}`;
}

export function nameOf({ id, data }: Offer): string {
  const job = jobSchema.safeParse(data);
  return job.success ? `${id.slice(0, 8)} ${job.data.plan} of ${job.data.repo}` : id.slice(0, 8);
}

/** `isStarting`: no pawl works there yet, and none starts meanwhile. */
export async function handOver(
  { context, queue }: Worker,
  jobs: readonly HeldJob[],
  isStarting = false,
): Promise<void> {
  const roots = new Map(jobs.map(({ offer, root }) => [offer.id, root]));
  for (const request of await queue.requests([...roots.keys()])) {
    const root = roots.get(request.job);
    const reply =
      request.reply || root === undefined ? undefined : await replyTo(context, root, { request, isStarting });
    if (reply) await queue.answer(request.id, reply);
  }
}

/** Undefined: nobody could be asked now. */
async function replyTo(
  context: CliContext,
  root: string,
  { request, isStarting }: Readonly<{ request: FleetRequest; isStarting: boolean }>,
): Promise<FleetRequest['reply']> {
  const gitDir = path.join(root, '.git');
  const place = { root, gitDir, commonDir: gitDir };
  const [run] = listRuns(gitDir);
  const holder = run && findRunHolder(place, run.run);
  if (!run || !(holder || isStarting)) return undefined;
  const wish = wishSchema.safeParse(request.wish);
  if (!wish.success) return { ok: false, text: 'the pawl there does not know this request' };
  // It may have been asked of a worker that died: the next pawl is stopped.
  if (!holder && ['stop', 'pause', 'continue'].includes(wish.data.do)) return undefined;
  const command = { ...wish.data, by: request.by };
  try {
    const reply = await sendCommand({ ...context, cwd: root }, { place, run, holder }, command);
    return reply.ok ? reply : { ok: false, text: reply.error };
  } catch (error) {
    needFailure(error);
    // It is just starting or ending.
    return undefined;
  }
}
