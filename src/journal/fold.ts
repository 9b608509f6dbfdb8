// Folds facts into the state of a run.

import { foldFlakiness } from '../event/flaky.ts';
import { waitOf } from '../event/waits.ts';
import type { Event, Fact, FactOf, Stamped } from '../event.ts';
import { foldCarry } from './fold-carry.ts';
import { endRest, foldControl } from './fold-control.ts';
import { foldCutOffs } from './fold-cut-off.ts';
import { foldDialogue, personsTurn } from './fold-dialogue.ts';
import { foldChecks, foldFound, withMade } from './fold-found.ts';
import { foldFinalizing, foldHead } from './fold-history.ts';
import { foldLessons } from './fold-lessons.ts';
import { foldReplan } from './fold-replan.ts';
import { foldIntoReview } from './fold-review.ts';
import { type Draft, endWait, foldIntoRun, spanMs } from './fold-run.ts';
import { foldIntoSession } from './fold-session.ts';
import { foldIntoTask, newTask } from './fold-task.ts';
import { foldWaits } from './fold-waits.ts';
import { type Fresh, put } from './fresh-map.ts';
import { startState } from './start-state.ts';
import type { RunListener, RunState, SessionState, TaskState } from './state.ts';
import { foldTimes } from './timeline.ts';

/** Undefined if they do not begin with the run's start. */
export function foldRun(facts: readonly Stamped<Fact>[]): RunState | undefined {
  const [first, ...rest] = facts;
  if (first?.type !== 'run-started') return undefined;
  const fresh: Fresh = new WeakSet();
  // Unseen objects are mutated: copies for each fact would be quadratic in the tasks.
  return rest.reduce<RunState>((state, fact) => foldOne(state, fact, fresh), startState(first));
}

/** The first fact is the start; `state` is not changed. */
export function foldFact(state: RunState | undefined, fact: Stamped<Fact>): RunState {
  if (state) return foldOne(state, fact, new WeakSet());
  return startState(fact as Stamped<FactOf<'run-started'>>);
}

/** Takes events from the run's start, or after `past`. */
export function withState(listener: RunListener, past?: RunState): (event: Stamped<Event>) => void {
  let state = past;
  return (event) => {
    const before = state;
    state = event.type === 'activity' && before ? before : foldFact(before, event as Stamped<Fact>);
    listener(event, state, before);
  };
}

function foldOne(state: RunState, fact: Stamped<Fact>, fresh: Fresh): RunState {
  return foldInOrder(state, fact, { fresh });
}

export function foldInOrder(
  before: RunState,
  fact: Stamped<Fact>,
  { fresh, order = Object.values(folds) }: Readonly<{ fresh: Fresh; order?: readonly Fold[] }>,
): RunState {
  const draft: Draft = {
    ...before,
    lastAt: fact.at,
    tasks: before.tasks as Map<string, TaskState>,
    sessions: before.sessions as Map<number, SessionState>,
  };
  for (const fold of order) fold(draft, fact, { before, fresh });
  return draft;
}

/** `before`: the state without the fact. */
export type Fold = (
  draft: Draft,
  fact: Stamped<Fact>,
  known: Readonly<{ before: RunState; fresh: Fresh }>,
) => void;

/** test/journal/fold-order.test.ts holds where this order matters, and that it does nowhere else. */
export const folds = {
  waits: foldWaits,
  rests: foldRests,
  run: foldIntoRun,
  found: foldFound,
  checks: foldChecks,
  spending: foldIntoSpending,
  control: foldControl,
  sessions: (draft, fact, { fresh }) => foldIntoSession(draft, fact, fresh),
  tasks: (draft, fact, { fresh }) => foldIntoTasks(draft, fact, fresh),
  lessons: foldLessons,
  replans: foldReplan,
  dialogue: (draft, fact) => {
    const asked = fact.type === 'dialogue' ? personsTurn(draft.dialogue) : undefined;
    if (asked !== undefined) draft.waitedMs += spanMs(asked, fact.at);
    draft.dialogue = foldDialogue(draft.dialogue, fact);
  },
  review: (draft, fact) => {
    draft.review = foldIntoReview(draft.review, fact);
  },
  finalizing: foldFinalizing,
  lanes: foldLanes,
  carry: foldCarry,
  cutOffs: (draft, fact, { before }) => {
    draft.cutOffs = foldCutOffs(draft.cutOffs, fact, isResting(before));
  },
  head: foldHead,
  flakiness: (draft, fact) => {
    draft.flakiness = foldFlakiness(draft.flakiness, fact);
  },
  times: (draft, fact, { before, fresh }) => {
    draft.times = foldTimes(draft.times, fact, before, fresh);
  },
} as const satisfies Readonly<Record<string, Fold>>;

function foldRests(draft: Draft, fact: Stamped<Fact>, { before }: Readonly<{ before: RunState }>): void {
  const { pause, waiting } = before;
  const isPersons = pause?.since !== undefined || (waiting && waitOf[waiting.why] === 'person');
  if (fact.sleptMs !== undefined && !isPersons) draft.stoppedMs += fact.sleptMs;
  if (fact.type !== 'run-resumed') return;
  // A person may have answered after the end.
  draft.stoppedMs += spanMs(before.ended?.at ?? before.lastAt, fact.at);
  // If cut off by a crash, it lasted until the last sign of life.
  endWait(draft, before.lastAt);
  endRest(draft, before.lastAt);
}

function isResting({ waiting, pause }: RunState): boolean {
  return waiting !== undefined || pause?.since !== undefined;
}

function foldIntoTasks(draft: Draft, fact: Stamped<Fact>, fresh: Fresh): void {
  if (!('task' in fact) || fact.task === undefined) return;
  const task = draft.tasks.get(fact.task);
  if (!task) foldIntoFixes(draft, fact, fact.task);
  else {
    const next = foldIntoTask(task, fact);
    if (next !== task) draft.tasks = put(draft.tasks, fresh, [task.id, next]);
  }
}

function foldIntoFixes(draft: Draft, fact: Stamped<Fact>, id: string): void {
  if (fact.type === 'work' && fact.state === 'planned') {
    const kind = fact.fix ? { fix: fact.fix } : { finalizes: true as const };
    draft.fixes = new Map(draft.fixes).set(id, { ...newTask(id, fact.title), ...kind });
    return;
  }
  const fix = draft.fixes.get(id);
  if (fix) draft.fixes = new Map(draft.fixes).set(id, foldIntoTask(fix, fact));
}

function foldLanes(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'lane':
      if (fact.state === 'opened') draft.lanes = new Map(draft.lanes).set(fact.lane, fact);
      if (fact.state !== 'closed') return;
      draft.lanes = new Map([...draft.lanes].filter(([number]) => number !== fact.lane));
      draft.leftOutOf = new Map([...draft.leftOutOf].filter(([number]) => number !== fact.lane));
      return;
    case 'files-made':
      if (fact.lane !== undefined) {
        const made = withMade(draft.leftOutOf.get(fact.lane) ?? [], fact);
        draft.leftOutOf = new Map(draft.leftOutOf).set(fact.lane, made);
      }
      return;
    case 'task-started':
    case 'attempt-started':
      if (fact.lane !== undefined && !draft.lanesUsed.has(fact.lane))
        draft.lanesUsed = new Set(draft.lanesUsed).add(fact.lane);
      return;
    case 'landing':
      if (fact.state === 'kept') draft.kept = [...new Set([...draft.kept, ...fact.files])];
      return;
    case 'rescue-saved':
      if (fact.lane !== undefined) draft.rescuesOf = new Map(draft.rescuesOf).set(fact.lane, fact.oid);
      return;
  }
}

/** Midnight is at a multiple of this in every time zone, so any day can be summed. */
const quarterMs = 15 * 60_000;

/** The run's money; runs before the fact is folded into the sessions. */
function foldIntoSpending(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'budgets-set':
      draft.caps = { settings: fact.settings, asked: fact.asked };
      return;
    case 'budget-reached':
      draft.budgetsReached = [...draft.budgetsReached, fact];
      return;
    case 'limit-seen':
      foldLimit(draft, fact);
      return;
    case 'session-cost':
    case 'session-ended': {
      const moreUsd = (fact.costUsd ?? 0) - (draft.sessions.get(fact.session)?.costUsd ?? 0);
      if (moreUsd <= 0 || !draft.sessions.has(fact.session)) return;
      const quarter = Math.floor(Date.parse(fact.at) / quarterMs) * quarterMs;
      draft.spentAt = new Map(draft.spentAt).set(quarter, (draft.spentAt.get(quarter) ?? 0) + moreUsd);
      return;
    }
  }
}

/** Two agents may name their windows alike. */
function foldLimit(draft: Draft, fact: Stamped<FactOf<'limit-seen'>>): void {
  const agent = draft.sessions.get(fact.session)?.started.agent ?? '';
  draft.limits = new Map(draft.limits).set(`${agent} ${fact.window ?? ''}`, { ...fact, agent });
}
