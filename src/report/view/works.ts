// The tasks of a run and its other work.
import { defined } from '../../defined.ts';
import { readLedger, type Spent } from '../../journal/ledger.ts';
import { oncePerState, openSessions, type RunState } from '../../journal/state.ts';
import { isInWork, isProofPending, proofWordOf, type TaskState } from '../../journal/task-state.ts';
import { looks } from '../text/run-words.ts';
import type { TaskCounts, WorkInProgress, WorkView } from './run-view.ts';

/** Tasks, then other work, by id. `until`, ISO 8601: what goes on lasts until then. */
export const viewWorks = oncePerState((state, until?: string): ReadonlyMap<string, WorkView> => {
  const { byWork } = readLedger(state, until);
  // Closed before the run.
  const before = new Set(state.plan?.tasks.filter(({ closed }) => closed).map(({ id }) => id));
  const works = [...state.tasks.values(), ...state.fixes.values()].map((task, order): WorkView => {
    const standing = standingOf(task, before);
    const { working = 0, checking = 0, spent = unspent, agents = [] } = byWork.get(task.id) ?? {};
    return {
      id: task.id,
      // A fix's title says what is fixed.
      title: task.fix ? `Fix: ${task.title}` : task.title,
      standing,
      ...looks[standing],
      order,
      isBeside: state.fixes.has(task.id),
      // Without those that a pause, a limit or a question cut short.
      attempts: Math.max(0, task.attemptsEver - task.uncounted),
      corrections: task.corrections,
      spent,
      agents,
      ms: { working, checking },
      notes: task.violations.length + task.refused.length + task.tamper.length,
      ...ofStanding(task),
    };
  });
  return new Map(works.map((work) => [work.id, work]));
});

const unspent: Spent = { costUsd: 0, atLeast: false, sessions: 0 };

function ofStanding({ standing, lastRound }: TaskState): Pick<WorkView, 'closed' | 'question' | 'reason'> {
  switch (standing.is) {
    case 'closed':
      return { closed: standing.fact };
    case 'failed':
      return { reason: standing.reason };
    case 'parked':
      return { question: standing.question, ...defined({ reason: lastRound?.reason }) };
    default:
      return defined({ reason: lastRound?.reason });
  }
}

function standingOf(task: TaskState, before: ReadonlySet<string>): WorkView['standing'] {
  const { id, standing, start } = task;
  switch (standing.is) {
    case 'closed':
      return isProofPending(task) ? 'pending' : (proofWordOf(task) ?? 'unchecked');
    case 'closed-by-hand':
      return 'by-hand';
    case 'open':
      if (isInWork(task)) return 'working';
      return start === undefined && before.has(id) ? 'before' : 'open';
    case 'failed':
    case 'parked':
    case 'skipped':
      return standing.is;
  }
}

export function countTasks(state: RunState): TaskCounts {
  const tasks = [...viewWorks(state).values()].filter(({ isBeside }) => !isBeside);
  const standings = tasks.map(({ standing }) => standing);
  const counts = Object.fromEntries(
    Object.keys(looks).map((each) => [each, standings.filter((standing) => standing === each).length]),
  ) as Record<WorkView['standing'], number>;
  const { open, working, failed, parked, skipped } = counts;
  const total = standings.length;
  return { ...counts, total, closed: total - open - working - failed - parked - skipped };
}

/** In the order of the plan; several at once only in lanes. */
export function listInWork(state: RunState): readonly WorkInProgress[] {
  const open = new Set(openSessions(state).map(({ started }) => started.task));
  const works = [...state.tasks.values(), ...state.fixes.values()].filter(
    (task) => task.standing.is === 'open' && (isInWork(task) || open.has(task.id)),
  );
  const isInLanes = works.some(({ start }) => start?.lane !== undefined);
  const isAlone = !isInLanes && works.filter(({ id }) => open.has(id)).length < 2;
  const startOf = ({ start }: TaskState) => start?.at ?? '';
  const latest = works.toSorted((one, other) => startOf(one).localeCompare(startOf(other))).slice(-1);
  return (isAlone ? latest : works).map((task) => describeWork(state, task));
}

function describeWork(state: RunState, task: TaskState): WorkInProgress {
  const session = openSessions(state).findLast(({ started }) => started.task === task.id);
  const { session: number, at: since, agent, insteadOf } = session?.started ?? {};
  return {
    id: task.id,
    title: task.title,
    isBeside: state.fixes.has(task.id),
    // As the log numbers it.
    attempt: Math.max(1, task.attemptsEver),
    ...defined({ session: number, since, agent, insteadOf, lastRound: task.lastRound?.reason }),
  };
}
