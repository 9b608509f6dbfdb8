// Folds facts about one task.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import type { TaskState } from './state.ts';
import type { TaskWork } from './task-work.ts';

/** Returns the same object if nothing changed. */
export function foldIntoTask(task: TaskState, fact: Stamped<Fact>): TaskState {
  // Nothing of its past is true of a reopened task, least of all its start.
  if (fact.type === 'task-reopened') return { ...newTask(task.id, task.title), answers: task.answers };
  const change = changeOfTask(task, fact);
  return change ? { ...task, ...change } : task;
}

/** Undefined if nothing changed. */
function changeOfTask(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  return changeByWork(task, fact) ?? changeByLane(task, fact) ?? changeByEnd(task, fact) ?? note(task, fact);
}

function changeByWork(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  switch (fact.type) {
    case 'task-started':
      return start(task, fact);
    case 'definitions-taken':
      if (!task.start) return undefined;
      return {
        start: {
          ...task.start,
          taken: {
            ...task.start.taken,
            ...Object.fromEntries(fact.changed.map((file) => [file, fact.tree])),
          },
        },
      };
    case 'attempt-started':
      return {
        attemptsEver: fact.attempt,
        reds: redsOf(task),
        standing: standingAtWork(task),
        work: task.work.is === 'told' ? task.work : here,
      };
    case 'correction-sent':
      return { corrections: task.corrections + 1, reds: redsOf(task) };
    case 'round-ended':
      return {
        lastRound: fact,
        work: task.work.is === 'told' ? here : task.work,
        ...countRound(task, fact),
      };
    case 'rescue-saved':
      return leave(task, fact.oid);
    case 'tree-written':
      return {
        tree: fact.tree,
        // Notes on other work are made again if still true.
        ...(fact.by === 'session' && fact.tree !== task.tree ? { tamper: [], refused: [] } : {}),
        ...(fact.untouched ? { untouched: union(task.untouched, [fact.tree]) } : {}),
      };
  }
  return undefined;
}

function start(task: TaskState, fact: Stamped<FactOf<'task-started'>>): Partial<TaskState> {
  return {
    start: fact,
    untouched: [fact.tree],
    tree: fact.tree,
    work: begunAnew(task),
    standing: standingAtWork(task),
    landed: [],
    conflicts: [],
    merges: [],
    catchingUp: undefined,
  };
}

/** What an overloaded or corrected session left red is no attempt's result yet. */
function countRound(task: TaskState, round: FactOf<'round-ended'>): Partial<TaskState> {
  if (round.verdict === 'correct') return {};
  if (!round.counts) return { uncounted: task.uncounted + 1 };
  return { attempts: task.attempts + 1, counted: [...task.counted, round] };
}

function changeByLane(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  switch (fact.type) {
    case 'lane':
      if (fact.state === 'catching-up') return { catchingUp: fact };
      return fact.state === 'caught-up' ? caughtUp(task, fact) : undefined;
  }
  return undefined;
}

function changeByEnd(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  switch (fact.type) {
    case 'task-closed':
      return { closed: fact, standing: 'closed', judged: undefined };
    case 'proof-judged':
      return { judged: fact };
    case 'task-set-aside':
      return setAside(task, fact);
  }
  return undefined;
}

function note(task: TaskState, fact: Stamped<Fact>): Partial<TaskState> | undefined {
  switch (fact.type) {
    case 'stuck':
      return { stuck: fact };
    case 'intervention':
      return changeByPerson(task, fact);
    case 'act-found':
      return { violations: [...task.violations, fact] };
    case 'file-refused':
      return { refused: [...task.refused, fact] };
    case 'tamper-noted':
      return { tamper: [...task.tamper, fact] };
    case 'check-ended':
      return {
        checkMs: task.checkMs + fact.durationMs,
        checks: [
          ...task.checks.filter((other) => other.check !== fact.check || other.when !== fact.when),
          fact,
        ],
      };
  }
  return undefined;
}

function redsOf({ checks, reds }: TaskState): TaskState['reds'] {
  const now = checks.filter(
    ({ when, result, knownRed }) => when === 'after' && result === 'red' && !knownRed,
  );
  return [...reds.filter((old) => now.every(({ check }) => check !== old.check)), ...now];
}

/** The first rescue counts: a second holds only part. What had not come back is still in its own. */
function leave({ work }: TaskState, rescue: string): Partial<TaskState> {
  if (work.is === 'returning') return { work: { ...work, is: 'leaving' } };
  return work.is === 'here' || work.is === 'told' ? { work: { is: 'leaving', rescue } } : {};
}

const here: TaskWork = { is: 'here' };

function begunAnew({ work }: TaskState): TaskWork {
  if (work.is === 'saved' || work.is === 'returning') return { is: 'returning', rescue: work.rescue };
  if (work.is !== 'discarded' || work.rescue === undefined) return here;
  return { is: 'told', rescue: work.rescue };
}

function setAside(task: TaskState, fact: Stamped<FactOf<'task-set-aside'>>): Partial<TaskState> {
  const { as, reason, rescue } = fact;
  const stays: TaskWork = task.work.is === 'leaving' ? here : task.work;
  const saved: TaskWork = rescue === undefined ? stays : { is: 'saved', rescue };
  const discarded: TaskWork = rescue === undefined ? stays : { is: 'discarded', rescue };
  switch (as) {
    case 'open':
      return { work: saved };
    case 'parked':
      return { work: saved, standing: as, question: reason };
    case 'skipped':
      return { work: discarded, standing: as, skipped: fact };
    case 'failed':
      return { work: discarded, standing: as, failed: fact };
  }
}

function changeByPerson(
  task: TaskState,
  { kind, said = '' }: FactOf<'intervention'>,
): Partial<TaskState> | undefined {
  switch (kind) {
    case 'answer':
      return {
        standing: 'open',
        answers: [...task.answers, { question: task.question ?? '', answer: said }],
      };
    case 'skip':
      return { standing: 'skipped' };
    case 'tick':
      return { standing: 'closed-by-hand' };
    case 'retry':
      return { standing: 'open', attempts: 0, counted: [], stuck: undefined, ...withoutQuestion(task) };
    case 'steer':
      return { stuck: undefined };
  }
  return undefined;
}

/** It counts as begun on what has landed; a check that turned green no longer proves anything. */
function caughtUp(task: TaskState, fact: FactOf<'lane-caught-up'>): Partial<TaskState> {
  const { commit, tree, merged, conflicts } = fact;
  return {
    ...defined({
      start: task.start && {
        ...task.start,
        commit,
        tree,
        red: [],
        wasRed: task.start.wasRed ?? task.start.red,
      },
    }),
    untouched: [tree],
    tree: merged,
    landed: union(task.landed, fact.landed),
    // An unresolved conflict remains one.
    conflicts: union(task.conflicts, conflicts),
    ...(conflicts.length > 0 && task.catchingUp ? { merges: [...(task.merges ?? []), task.catchingUp] } : {}),
    catchingUp: undefined,
  };
}

function union(past: readonly string[] = [], now: readonly string[]): readonly string[] {
  return [...new Set([...past, ...now])];
}

/** A task skipped as it begins stays so until a person says otherwise. */
function standingAtWork({ standing }: TaskState): TaskState['standing'] {
  return standing === 'skipped' ? 'skipped' : 'open';
}

/** Tried again, so the question is dropped. */
function withoutQuestion({ lastRound }: TaskState): Partial<TaskState> {
  if (lastRound?.question === undefined) return {};
  const { question: _, ...round } = lastRound;
  return { lastRound: round };
}

export function newTask(id: string, title: string): TaskState {
  return {
    id,
    title,
    standing: 'open',
    attempts: 0,
    attemptsEver: 0,
    uncounted: 0,
    corrections: 0,
    counted: [],
    untouched: [],
    work: here,
    answers: [],
    violations: [],
    refused: [],
    tamper: [],
    checks: [],
    reds: [],
    checkMs: 0,
  };
}
