// Watches the budgets, divides what is left of the dollars, and ends a session that exceeds one in mid-turn.
import type { Session } from '../../agent/session/session.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import { openSessions, type RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import {
  type Budget,
  findOverspend,
  listBudgets,
  listReached,
  type Overspend,
  type Spending,
} from './budget.ts';

/** Milliseconds between looks at the budgets during a turn; a session's cost is asked for less often. */
const everyMs = 1_000;

export function spendingNow(place: Place, task?: Task): Spending {
  const now = place.run.now();
  return { now: now.getTime(), task, today: () => place.run.today(now) };
}

export function overspendNow(
  place: Place,
  task: Task | undefined,
  { newSession }: Readonly<{ newSession: boolean }>,
): Overspend | undefined {
  return findOverspend(place.run.state(), { ...spendingNow(place, task), newSession });
}

/** In a lane: sessions beside it hold what is left of the money, until they end. */
export function isMoneyHeld(place: Place, task: Task): boolean {
  const all = place.lane ? listUnreserved(place.run.state(), spendingNow(place, task)) : [];
  return all.some(({ rest, isHeld }) => isHeld && rest < leastUsd);
}

/** True if it waited: anything may have changed. */
export async function awaitMoney(place: Place, task: Task, isWanted: () => boolean): Promise<boolean> {
  const { run } = place;
  const mustWait = () => !run.signal.aborted && isWanted() && isMoneyHeld(place, task);
  if (!mustWait()) return false;
  const text = `Task ${task.id} waits: sessions beside it hold what is left of the money, and it begins once one of them ends`;
  run.emit({ type: 'noticed', code: 'share', text });
  while (mustWait()) await run.sleep(everyMs, AbortSignal.any([run.signal, run.wake()]));
  return true;
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

/** US dollars for one of `among` starting sessions, enough for one if there is that much. Undefined without a cap. */
export function shareOfRest(state: RunState, spending: Spending, among = 1): number | undefined {
  const shares = listUnreserved(state, spending).map(({ budget, rest }) =>
    budget === 'task' ? rest : Math.max(rest / among, Math.min(rest, leastUsd)),
  );
  if (shares.length === 0) return undefined;
  // Rounded down to what a CLI accepts.
  return Math.max(leastShare, Math.floor(Math.min(...shares) * 10_000) / 10_000);
}

/** Sessions that share the rest: the one about to start, and those that may start beside it. */
export function countBeside(state: RunState, atOnce: number): number {
  return Math.max(1, atOnce - openSessions(state).length);
}

const leastShare = 0.01;

/** US dollars. With less, no session starts beside others. */
const leastUsd = 0.1;

type Unreserved = Pick<Budget, 'budget'> & Readonly<{ rest: number; isHeld: boolean }>;

function listUnreserved(state: RunState, spending: Spending): readonly Unreserved[] {
  const open = openSessions(state);
  return listBudgets(state, spending).flatMap(({ budget, task, cap, spent }) => {
    if (budget !== 'cost' && budget !== 'day' && budget !== 'task') return [];
    const theirs = open.filter(({ started }) => task === undefined || started.task === task);
    const left = theirs.map(({ started, costUsd = 0 }) => (started.maxCostUsd ?? 0) - costUsd);
    return [
      {
        budget,
        rest: left.reduce((rest, usd) => rest - Math.max(0, usd), cap - spent),
        isHeld: theirs.length > 0,
      },
    ];
  });
}
