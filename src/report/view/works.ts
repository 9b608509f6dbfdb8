// The tasks of a run and its other work: where each stands, and what it took.
import { defined } from '../../defined.ts';
import type { FactOf, Stamped } from '../../event.ts';
import { sumSpent } from '../../journal/ledger.ts';
import { isInWork, type RunState, type TaskState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import type { TaskCounts, WorkInProgress, WorkView } from './run-view.ts';

/** The plan's tasks in order, then other work. */
export function listWorks(state: RunState): readonly WorkView[] {
  return [...state.tasks.values(), ...state.fixes.values()].map((task) => viewWork(state, task));
}

export function viewWork(state: RunState, task: TaskState): WorkView {
  const own = [...state.sessions.values()].filter(({ started }) => started.task === task.id);
  return {
    id: task.id,
    // A fix's title says what is fixed.
    title: task.fix ? `Fix: ${task.title}` : task.title,
    standing: standingOf(state, task),
    order: [...state.tasks.keys(), ...state.fixes.keys()].indexOf(task.id),
    isBeside: state.fixes.has(task.id),
    attempts: attemptsOf(task),
    corrections: task.corrections,
    spent: sumSpent(own),
    ms: own.reduce((sum, { ended }) => sum + (ended?.durationMs ?? 0), task.checkMs),
    notes: task.violations.length + task.refused.length + task.tamper.length,
    ...defined({
      question: task.question,
      reason: task.standing === 'closed' ? undefined : (task.failed?.reason ?? task.lastRound?.reason),
      closed: task.closed && closedOf(task.closed),
    }),
  };
}

/** Without those that a pause, a limit or a question cut short. */
export function attemptsOf({ attemptsEver, uncounted }: TaskState): number {
  return Math.max(0, attemptsEver - uncounted);
}

function closedOf(closed: Stamped<FactOf<'task-closed'>>): NonNullable<WorkView['closed']> {
  const { oid, at, summary, reason, files, insertions, deletions } = closed;
  return { oid, at, summary, reason, files, insertions, deletions };
}

function standingOf({ plan }: RunState, task: TaskState): WorkView['standing'] {
  const { id, standing, start } = task;
  switch (standing) {
    case 'closed':
      return proofWordOf(task) ?? 'unchecked';
    case 'closed-by-hand':
      return 'by-hand';
    case 'open':
      if (isInWork(task)) return 'working';
      return start === undefined && plan?.tasks.some((each) => each.id === id && each.closed)
        ? 'before'
        : 'open';
    case 'failed':
    case 'parked':
    case 'skipped':
      return standing;
  }
}

export function countTasks(state: RunState): TaskCounts {
  const standings = [...state.tasks.values()].map((task) => standingOf(state, task));
  const count = (...wanted: readonly WorkView['standing'][]) =>
    standings.filter((standing) => wanted.includes(standing)).length;
  const [open, failed, parked, skipped] = [
    count('open', 'working'),
    ...(['failed', 'parked', 'skipped'] as const).map((standing) => count(standing)),
  ] as [number, number, number, number];
  return {
    total: standings.length,
    closed: standings.length - open - failed - parked - skipped,
    ...{ proven: count('proven'), passed: count('passed'), unchecked: count('unchecked') },
    ...{ byHand: count('by-hand'), before: count('before'), failed, parked, skipped, open },
  };
}

/** The latest last; several at once only in lanes. */
export function listInWork(state: RunState): readonly WorkInProgress[] {
  const open = new Set(
    [...state.sessions.values()].flatMap(({ started, ended }) => (ended ? [] : started.task)),
  );
  const works = [...state.tasks.values(), ...state.fixes.values()]
    .filter((task) => task.standing === 'open' && (isInWork(task) || open.has(task.id)))
    .sort(byStart);
  const isAlone = state.lanesUsed.size === 0 && works.filter(({ id }) => open.has(id)).length < 2;
  return (isAlone ? works.slice(-1) : works).map((task) => describeWork(state, task));
}

/** The latest begun and open, even if its work was taken out of the tree. */
export function findTaskInWork(state: RunState): WorkInProgress | undefined {
  const begun = [...state.tasks.values()].filter(({ standing, start }) => standing === 'open' && start);
  const latest = begun.sort(byStart).at(-1);
  return latest && describeWork(state, latest);
}

function byStart(one: TaskState, other: TaskState): number {
  return (one.start?.at ?? '').localeCompare(other.start?.at ?? '');
}

function describeWork({ sessions }: RunState, task: TaskState): WorkInProgress {
  const session = [...sessions.values()].findLast(({ started, ended }) => started.task === task.id && !ended);
  const { session: number, at: since, agent, insteadOf } = session?.started ?? {};
  return {
    id: task.id,
    title: task.title,
    // As the log numbers it.
    attempt: Math.max(1, task.attemptsEver),
    ...defined({ session: number, since, agent, insteadOf, lastRound: task.lastRound?.reason }),
  };
}
