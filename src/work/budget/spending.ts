// Watches the budgets, and ends a session that exceeds one in mid-turn.

import type { Session, Turn } from '../../agent/session/session-plan.ts';
import { capsInForce } from '../../event/caps.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { findOverspend, listReached, type Spending } from './budget.ts';
import type { Overspend } from './overspend.ts';
import { judgeShare, type NoShare } from './share.ts';

/** Milliseconds between looks at the budgets during a turn; a session's cost is asked for less often. */
const everyMs = 1_000;

export function spendingNow(place: Place, task?: Task): Spending {
  const now = place.run.now();
  const hasDay = capsInForce(place.run.state().caps).some(({ budget }) => budget === 'day');
  return { now: now.getTime(), task, today: hasDay ? place.run.today(now) : undefined };
}

export function overspendNow(
  place: Place,
  task: Task | undefined,
  { newSession }: Readonly<{ newSession: boolean }>,
): Overspend | undefined {
  return findOverspend(place.run.state(), { ...spendingNow(place, task), newSession });
}

/** Why a task does not start although the budgets have room: others hold it. */
export function lackOfShare(place: Place, task: Task): NoShare | undefined {
  if (!place.lane) return undefined;
  return judgeShare(place.run.state(), task, spendingNow(place, task));
}

/** True if it waited: anything may have changed. */
export async function awaitShare(place: Place, task: Task, isWanted: () => boolean): Promise<boolean> {
  const { run } = place;
  let told = false;
  for (;;) {
    const lack = run.signal.aborted || !isWanted() ? undefined : lackOfShare(place, task);
    if (lack?.kind !== 'wait') return told;
    if (!told) run.emit({ type: 'noticed', code: 'share', text: lack.text });
    told = true;
    await run.sleep(everyMs, AbortSignal.any([run.signal, run.wake()]));
  }
}

export function emitBudgets(place: Place, task?: Task): void {
  for (const fact of listReached(place.run.state(), spendingNow(place, task))) place.run.emit(fact);
}

/** Ends a turn that exceeds a budget; its work is kept. */
export async function withinBudget(
  place: Place,
  task: Task | undefined,
  { session, turn }: Readonly<{ session: Session; turn: Promise<Turn> }>,
): Promise<Turn> {
  let failure: unknown;
  const look = () => {
    try {
      emitBudgets(place, task);
      const overspend = overspendNow(place, task, { newSession: false });
      if (!overspend) return;
      clearInterval(timer);
      void session.stop(overspend.reason, 'over-budget');
    } catch (error) {
      failure ??= error;
      clearInterval(timer);
      void session.stop('the budgets could not be read');
    }
  };
  const timer = setInterval(look, everyMs);
  try {
    const ended = await turn;
    if (failure !== undefined) throw failure;
    return ended;
  } finally {
    clearInterval(timer);
  }
}
