// Folds facts about one task: how its work began, where it is, and what came of it.
import type { Fact, FactOf, Stamped } from '../event.ts';
import { foldBy } from './changes.ts';
import {
  isAway,
  isInWork,
  isTaskClosed,
  type LaneWork,
  type TaskStanding,
  type TaskState,
  type TaskWork,
} from './task-state.ts';

type Change = Partial<TaskState>;

/** Returns the same object if nothing changed. */
export function foldIntoTask(task: TaskState, fact: Stamped<Fact>): TaskState {
  // Nothing of its past is true of a reopened task, least of all its start.
  if (fact.type === 'task-reopened') return { ...newTask(task.id, task.title), answers: task.answers };
  const change = foldRow(task, fact) as Change;
  return Object.keys(change).length === 0 ? task : { ...task, ...change };
}

const foldRow = foldBy<TaskState>({
  'task-started': start,
  'definitions-taken': ({ start: begun }, { changed, tree }) => {
    const now = Object.fromEntries(changed.map((file) => [file, tree]));
    return begun ? { start: { ...begun, taken: { ...begun.taken, ...now } } } : {};
  },
  'attempt-started': (task, { attempt }) => ({
    attemptsEver: attempt,
    reds: redsOf(task),
    standing: standingAtWork(task),
    work: task.work.is === 'told' ? task.work : here,
  }),
  'correction-sent': (task) => ({ corrections: task.corrections + 1, reds: redsOf(task) }),
  'round-ended': (task, round) => ({
    lastRound: round,
    work: task.work.is === 'told' ? here : task.work,
    ...countRound(task, round),
  }),
  'rescue-saved': leave,
  'work-ended': (_, ended) => ({ ended }),
  'tree-written': (task, { tree, by, untouched }) => ({
    tree,
    // Notes on other work are made again if still true.
    ...(by === 'session' && tree !== task.tree && { tamper: [], refused: [] }),
    ...(untouched && { untouched: union(task.untouched, [tree]) }),
  }),
  'lane-catching-up': ({ lane = unmoved }, catchingUp) => ({ lane: { ...lane, catchingUp } }),
  'lane-caught-up': caughtUp,
  'task-closed': (_, fact) => ({ standing: { is: 'closed', fact } }),
  'proof-judged': ({ standing }, judged) =>
    standing.is === 'closed' ? { standing: { ...standing, judged } } : {},
  'task-set-aside': setAside,
  stuck: ({ standing }, stuck) => (standing.is === 'open' ? { standing: { is: 'open', stuck } } : {}),
  intervention: changeByPerson,
  'act-found': ({ violations }, fact) => ({ violations: [...violations, fact] }),
  'file-refused': ({ refused }, fact) => ({ refused: [...refused, fact] }),
  'tamper-noted': ({ tamper }, fact) => ({ tamper: [...tamper, fact] }),
  'check-ended': ({ checks }, fact) => ({
    checks: [...checks.filter((other) => other.check !== fact.check || other.when !== fact.when), fact],
  }),
});

const here: TaskWork = { is: 'here' };
const open: TaskStanding = { is: 'open' };
const unmoved: LaneWork = { landed: [], conflicts: [], merges: [] };

function start(task: TaskState, fact: Stamped<FactOf<'task-started'>>): Change {
  return {
    start: fact,
    untouched: [fact.tree],
    tree: fact.tree,
    work: begunAnew(task),
    standing: standingAtWork(task),
    lane: undefined,
  };
}

function begunAnew({ work }: TaskState): TaskWork {
  if (work.is === 'saved' || work.is === 'returning') return { is: 'returning', rescue: work.rescue };
  if (work.is !== 'discarded' || work.rescue === undefined) return here;
  return { is: 'told', rescue: work.rescue };
}

/** A task skipped as it begins stays so until a person says otherwise. */
function standingAtWork({ standing }: TaskState): TaskStanding {
  return standing.is === 'skipped' || standing.is === 'open' ? standing : open;
}

/** What an overloaded or corrected session left red is no attempt's result yet. */
function countRound(task: TaskState, round: FactOf<'round-ended'>): Change {
  if (round.verdict === 'correct') return {};
  if (!round.counts) return { uncounted: task.uncounted + 1 };
  return { counted: [...task.counted, round] };
}

function redsOf({ checks, reds }: TaskState): TaskState['reds'] {
  const now = checks.filter(
    ({ when, result, knownRed }) => when === 'after' && result === 'red' && !knownRed,
  );
  return [...reds.filter((old) => now.every(({ check }) => check !== old.check)), ...now];
}

/** The first rescue counts: a second holds only part. What had not come back is still in its own. */
function leave({ work }: TaskState, { oid: rescue }: FactOf<'rescue-saved'>): Change {
  if (work.is === 'returning') return { work: { ...work, is: 'leaving' } };
  return work.is === 'here' || work.is === 'told' ? { work: { is: 'leaving', rescue } } : {};
}

function setAside(task: TaskState, fact: Stamped<FactOf<'task-set-aside'>>): Change {
  const { as, reason, rescue } = fact;
  const stays: TaskWork = task.work.is === 'leaving' ? here : task.work;
  const saved: TaskWork = rescue === undefined ? stays : { is: 'saved', rescue };
  const discarded: TaskWork = rescue === undefined ? stays : { is: 'discarded', rescue };
  switch (as) {
    case 'open':
      return { work: saved };
    case 'parked':
      return { work: saved, standing: { is: as, question: reason } };
    case 'skipped':
      return { work: discarded, standing: { is: as } };
    case 'failed':
      return { work: discarded, standing: { is: as, reason, at: fact.at } };
  }
}

function changeByPerson(task: TaskState, { kind, said = '' }: FactOf<'intervention'>): Change {
  const { standing, answers } = task;
  switch (kind) {
    case 'answer': {
      const question = standing.is === 'parked' ? standing.question : '';
      return { standing: open, answers: [...answers, { question, answer: said }] };
    }
    case 'skip':
      return { standing: { is: 'skipped' } };
    case 'tick':
      return { standing: { is: 'closed-by-hand' } };
    case 'retry':
      return { standing: open, counted: [], ...withoutQuestion(task) };
    case 'steer':
      return standing.is === 'open' ? { standing: open } : {};
  }
  return {};
}

/** Tried again, so the question is dropped. */
function withoutQuestion({ lastRound }: TaskState): Change {
  if (lastRound?.question === undefined) return {};
  const { question: _, ...round } = lastRound;
  return { lastRound: round };
}

/** It counts as begun on what has landed; a check that turned green no longer proves anything. */
function caughtUp(task: TaskState, { tree }: FactOf<'lane-caught-up'>): Change {
  const { start: begun, lane: { catchingUp, ...before } = unmoved } = task;
  if (!catchingUp) return {};
  const { onto: commit, merged, conflicts, landed } = catchingUp;
  return {
    ...(begun && { start: { ...begun, commit, tree, red: [] } }),
    untouched: [tree],
    tree: merged,
    lane: {
      landed: union(before.landed, landed),
      // An unresolved conflict remains one.
      conflicts: union(before.conflicts, conflicts),
      merges: conflicts.length > 0 ? [...before.merges, catchingUp] : before.merges,
    },
  };
}

function union(past: readonly string[], now: readonly string[]): readonly string[] {
  return [...new Set([...past, ...now])];
}

/** Of an open or failed task; resuming a stopped run grants them. */
export function grantAttempts(task: TaskState): TaskState {
  const { standing } = task;
  if (standing.is === 'failed') return { ...task, standing: open, counted: [] };
  return standing.is === 'open' ? { ...task, counted: [] } : task;
}

/** After a re-plan took its work out of the tree; work taken away earlier is in another rescue. */
export function beginAnew(task: TaskState, rescue: string | undefined): TaskState {
  const { work } = task;
  if (isTaskClosed(task) || task.start === undefined || isAway(task)) return task;
  const isOther = (work.is === 'leaving' || work.is === 'returning') && work.rescue !== rescue;
  return { ...task, work: isOther ? { is: 'saved', rescue: work.rescue } : { is: 'discarded', rescue } };
}

/** On a machine that took the run up, open work begins at the rescue saved there; `gone` is not looked for. */
export function withRescuesHere(task: TaskState, { rescue, gone }: FactOf<'carry-taken-up'>): TaskState {
  const { start: begun, work } = task;
  const isGone = work.is !== 'here' && work.rescue !== undefined && gone.includes(work.rescue);
  const isKept = !isGone && work.is !== 'leaving';
  return {
    ...task,
    work: isKept ? work : isAway(task) ? { is: 'discarded' } : here,
    ...(begun && isInWork(task) && { start: { ...begun, rescue } }),
  };
}

export function newTask(id: string, title: string): TaskState {
  return {
    id,
    title,
    standing: open,
    work: here,
    attemptsEver: 0,
    uncounted: 0,
    corrections: 0,
    counted: [],
    untouched: [],
    answers: [],
    violations: [],
    refused: [],
    tamper: [],
    checks: [],
    reds: [],
  };
}
