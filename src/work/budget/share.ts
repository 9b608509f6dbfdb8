// How much of what is left in dollars a session gets, and whether that is worth one. What open sessions were handed is theirs.
// Pure.
import { commandAgain } from '../../event/again.ts';
import type { RunState, SessionState } from '../../journal/state.ts';
import type { Task } from '../../plan/plan.ts';
import { isOf, listBudgets, type Spending } from './budget.ts';
import { type Budget, formatOverspend, type Overspend } from './overspend.ts';

/** US dollars that one of `among` sessions about to start may spend; one of a task gets no less than is worth a session, where there is so much. Undefined without a cap. */
export function shareOfRest(state: RunState, spending: Spending, among = 1): number | undefined {
  const least = spending.task ? leastFor(state, spending.task) : 0;
  const shares = listRests(state, spending).map(({ budget, rest }) =>
    budget.budget === 'task' ? rest : Math.max(rest / among, Math.min(rest, least)),
  );
  if (shares.length === 0) return undefined;
  // Rounded down to what a CLI understands of an amount.
  return Math.max(leastShare, Math.floor(Math.min(...shares) * 10_000) / 10_000);
}

/** Why a task in a lane begins no session now: others hold what is left until they end, or nobody does, and it is too little to go on with. */
export type NoShare =
  | Readonly<{ kind: 'wait'; text: string }>
  | Readonly<{ kind: 'stop'; overspend: Overspend }>;

/** Whether what nobody holds is worth another session of a task; undefined: it may begin. A first one that nobody is beside takes what there is. */
export function judgeShare(state: RunState, task: Task, spending: Spending): NoShare | undefined {
  const [tightest] = listRests(state, { ...spending, task }).toSorted((a, b) => a.rest - b.rest);
  if (!tightest) return undefined;
  const { budget, rest, isHeld } = tightest;
  if (isHeld && rest < leastFor(state, task))
    return {
      kind: 'wait',
      text: `Task ${task.id} waits: sessions beside it hold what is left of the money, and it begins once one of them ends`,
    };
  const last = [...state.sessions.values()].findLast(isOf(task));
  if (isHeld || rest >= leastUsd || last?.ended?.outcome !== 'over-budget') return undefined;
  return { kind: 'stop', overspend: formatOverspend(budget, (options) => commandAgain(state, options)) };
}

/** Sessions that share what is left where so many tasks are worked on at once: one about to start, and those that may yet start beside it. */
export function countBeside({ sessions }: RunState, atOnce: number): number {
  return Math.max(1, atOnce - [...sessions.values()].filter(isOpen).length);
}

/** A CLI refuses a cap of nothing. */
export const leastShare = 0.01;

/** Less than this, US dollars, is worth no session beside others, and none after one that was cut off. */
const leastUsd = 0.1;

/** Half of what a task's first session was handed: with less the next one would hardly get as far. */
function leastFor({ sessions }: RunState, task: Task): number {
  const first = [...sessions.values()].find(isOf(task))?.started.maxCostUsd ?? 0;
  return Math.max(leastUsd, first / 2);
}

/** What nobody holds of each budget in dollars. */
function listRests(
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

/** What an open session may still spend of what it was handed. */
function reserved({ started, costUsd = 0 }: SessionState): number {
  return Math.max(0, (started.maxCostUsd ?? 0) - costUsd);
}

/** What those who share an account are told of a run, US dollars; a session that ended without a word of it has spent all that it was handed. `run`: runs of several repositories may have begun in the same second. */
export function moneyOf({
  started: { run, at, base },
  sessions,
}: Pick<RunState, 'started' | 'sessions'>): Readonly<{ run: string; spent: number; open: number }> {
  let [spent, open] = [0, 0];
  for (const session of sessions.values()) {
    const { ended, costUsd, started } = session;
    spent += costUsd ?? (ended ? (started.maxCostUsd ?? 0) : 0);
    if (!ended) open += reserved(session);
  }
  return { run: `${run} ${at} ${base.slice(0, 12)}`, spent, open };
}
