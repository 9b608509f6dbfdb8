// Watches the budgets, divides what is left of the dollars, and ends a session that exceeds one in mid-turn.
import type { Session, Turn } from '../../agent/session/session-plan.ts';
import { capsInForce } from '../../event/caps.ts';
import type { RunState, SessionState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import {
  type Budget,
  findOverspend,
  formatOverspend,
  isOf,
  listBudgets,
  listReached,
  type Overspend,
  type Spending,
} from './budget.ts';

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
  return place.lane && judgeShare(place.run.state(), task, spendingNow(place, task));
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

/**
 * US dollars for one of `among` starting sessions; for a task, if there is that much, at least enough for a session.
 * Undefined without a cap.
 */
export function shareOfRest(state: RunState, spending: Spending, among = 1): number | undefined {
  const least = spending.task ? leastFor(state, spending.task) : 0;
  const shares = listUnreserved(state, spending).map(({ budget, rest }) =>
    budget.budget === 'task' ? rest : Math.max(rest / among, Math.min(rest, least)),
  );
  if (shares.length === 0) return undefined;
  // Rounded down to what a CLI accepts.
  return Math.max(leastShare, Math.floor(Math.min(...shares) * 10_000) / 10_000);
}

/** No start in a lane: others hold the rest until they end, or it is too little. */
type NoShare = Readonly<{ kind: 'wait'; text: string }> | Readonly<{ kind: 'stop'; overspend: Overspend }>;

/** Undefined: it may start. A task's first session, with none beside it, takes whatever there is. */
export function judgeShare(state: RunState, task: Task, spending: Spending): NoShare | undefined {
  const [tightest] = listUnreserved(state, { ...spending, task }).toSorted((a, b) => a.rest - b.rest);
  if (!tightest) return undefined;
  const { budget, rest, isHeld } = tightest;
  if (isHeld && rest < leastFor(state, task))
    return {
      kind: 'wait',
      text: `Task ${task.id} waits: sessions beside it hold what is left of the money, and it begins once one of them ends`,
    };
  const last = [...state.sessions.values()].findLast(isOf(task));
  if (isHeld || rest >= leastUsd || last?.ended?.outcome !== 'over-budget') return undefined;
  return { kind: 'stop', overspend: formatOverspend(budget, state) };
}

/** Sessions that share the rest: the one about to start, and those that may start beside it. */
export function countBeside({ sessions }: RunState, atOnce: number): number {
  return Math.max(1, atOnce - [...sessions.values()].filter(isOpen).length);
}

export const leastShare = 0.01;

/** US dollars. With less, no session starts beside others, or after one that was cut off. */
const leastUsd = 0.1;

/** US dollars: with less than half of its first share, a session would hardly get as far. */
function leastFor({ sessions }: RunState, task: Task): number {
  const first = [...sessions.values()].find(isOf(task))?.started.maxCostUsd ?? 0;
  return Math.max(leastUsd, first / 2);
}

function listUnreserved(
  state: RunState,
  spending: Spending,
): readonly Readonly<{ budget: Budget; rest: number; isHeld: boolean }>[] {
  const open = [...state.sessions.values()].filter(isOpen);
  return listBudgets(state, spending).flatMap((budget) => {
    if (budget.budget !== 'cost' && budget.budget !== 'day' && budget.budget !== 'task') return [];
    const theirs = open.filter(({ started }) => budget.budget !== 'task' || started.task === budget.task);
    const held = theirs.reduce((sum, session) => sum + reserved(session), 0);
    return [{ budget, rest: budget.cap - budget.spent - held, isHeld: theirs.length > 0 }];
  });
}

function isOpen({ ended }: SessionState): boolean {
  return !ended;
}

function reserved({ started, costUsd = 0 }: SessionState): number {
  return Math.max(0, (started.maxCostUsd ?? 0) - costUsd);
}
