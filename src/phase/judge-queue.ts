// Several plans run by one command, according to their journals: which queue a command resumes, how far each plan is, and
// whether the next one starts. Pure.

import { isDiscarded } from '../event/run.ts';
import { exitCodes } from '../failure.ts';
import { isFinished, type RunState } from '../journal/state.ts';
import type { Queue } from '../place/run.ts';

/** A run of a plan; the ids sort by time. */
export type QueuedRun = Readonly<{ run: string; plan: string; state: RunState }>;

/** How far a plan of a queue is; `run`: the newest one that counts. */
export type PlanInQueue = Readonly<{ plan: string; run?: QueuedRun; isDone: boolean }>;

/** The newest unfinished queue of exactly these plans; undefined: the command begins a new one. `runs`: newest first. */
export function findQueue(runs: readonly QueuedRun[], plans: readonly string[]): Queue | undefined {
  const same = runs.find(({ state }) => state.queue && sameList(state.queue.plans, plans));
  const fact = same?.state.queue;
  if (!fact) return undefined;
  const queue = { queue: fact.queue, plans: fact.plans, base: fact.base };
  return judgeQueue(queue, runs).every(({ isDone }) => isDone) ? undefined : queue;
}

/**
 * How far each plan of a queue is. A run outside the queue counts if it began later: a person then took that plan up alone.
 */
export function judgeQueue(queue: Queue, runs: readonly QueuedRun[]): readonly PlanInQueue[] {
  const isIn = ({ state }: QueuedRun): boolean => state.queue?.queue === queue.queue;
  const first = runs.findLast((run) => isIn(run) && run.state.resumes === 0)?.run ?? runs.findLast(isIn)?.run;
  return queue.plans.map((plan) => {
    const newest = runs.find((run) => run.plan === plan);
    const counts = newest && (isIn(newest) || (first !== undefined && newest.run >= first));
    if (!newest || !counts) return { plan, isDone: false };
    return { plan, run: newest, isDone: isFinished(newest.state) && !isDiscarded(newest.state) };
  });
}

/**
 * Whether the next plan starts after a run ended with this exit code: not if it would end the same way, nor after a person
 * said stop. `today`: the local date, e.g. 2026-11-22.
 */
export function startsNext(exit: number, state: Pick<RunState, 'budgetsReached'>, today: string): boolean {
  const dayIsSpent = state.budgetsReached.some(
    ({ budget, share, day }) => budget === 'day' && share === 1 && day === today,
  );
  if (exit === exitCodes.budget) return !dayIsSpent;
  return going.has(exit);
}

const going: ReadonlySet<number> = new Set([
  exitCodes.done,
  exitCodes.taskFailed,
  exitCodes.needsPerson,
  exitCodes.notClean,
]);

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}
