// Folds facts into the state of a run, each fact by the files that handle it.
import { foldFlakiness } from '../event/flaky.ts';
import type { Fact, Stamped } from '../event.ts';
import { foldCarry } from './fold-carry.ts';
import { endRest, foldControl } from './fold-control.ts';
import { foldCutOffs } from './fold-cut-off.ts';
import { foldDialogue } from './fold-dialogue.ts';
import { foldFinalizing, foldHead } from './fold-history.ts';
import { foldLandings } from './fold-landings.ts';
import { foldLanes } from './fold-lane.ts';
import { foldReplan } from './fold-replan.ts';
import { foldRequests } from './fold-requests.ts';
import { foldIntoReview } from './fold-review.ts';
import { type Draft, endWait, foldIntoRun, spanMs } from './fold-run.ts';
import { foldIntoSession } from './fold-session.ts';
import { foldIntoSpending } from './fold-spending.ts';
import { foldIntoTask, newTask } from './fold-task.ts';
import { foldWaits } from './fold-waits.ts';
import { foldWatch } from './fold-watch.ts';
import { type Fresh, put } from './fresh-map.ts';
import { startState } from './start-state.ts';
import type { RunState, SessionState, TaskState } from './state.ts';

/** Folds all facts of a run; undefined when they do not begin with its start. */
export function foldRun(facts: readonly Stamped<Fact>[]): RunState | undefined {
  const [first, ...rest] = facts;
  if (first?.type !== 'run-started') return undefined;
  const fresh: Fresh = new WeakSet();
  // What nobody has seen yet may be written into: a copy for each fact would take the square of the tasks.
  return rest.reduce<RunState>((state, fact) => foldOne(state, fact, fresh), startState(first));
}

/** The state after one more fact; the one given stays as it is. */
export function foldFact(state: RunState, fact: Stamped<Fact>): RunState {
  return foldOne(state, fact, new WeakSet());
}

function foldOne(state: RunState, fact: Stamped<Fact>, fresh: Fresh): RunState {
  const draft: Draft = {
    ...state,
    lastAt: fact.at,
    tasks: state.tasks as Map<string, TaskState>,
    sessions: state.sessions as Map<number, SessionState>,
  };
  foldWaits(draft, fact);
  if (fact.type === 'run-resumed') {
    // A person may have answered after the end.
    draft.stoppedMs += spanMs(state.ended?.at ?? state.lastAt, fact.at);
    // A wait or a rest that a crash cut off lasted until the last sign of life.
    endWait(draft, state.lastAt);
    endRest(draft, state.lastAt);
  }
  foldIntoRun(draft, fact);
  foldIntoSpending(draft, fact);
  foldControl(draft, fact);
  foldIntoSession(draft, fact, fresh);
  foldIntoTasks(draft, fact, fresh);
  foldReplan(draft, fact);
  draft.dialogue = foldDialogue(draft.dialogue, fact);
  draft.review = foldIntoReview(draft.review, fact);
  foldFinalizing(draft, fact);
  foldWatch(draft, fact);
  foldLanes(draft, fact);
  foldCarry(draft, fact);
  draft.requests = foldRequests(draft.requests, fact);
  draft.cutOffs = foldCutOffs(draft.cutOffs, fact, isResting(state));
  foldHead(draft, fact);
  draft.flakiness = foldFlakiness(draft.flakiness, fact);
  draft.landings = foldLandings(draft.landings, fact);
  return draft;
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
  if (fact.type === 'fix-planned') {
    draft.fixes = new Map(draft.fixes).set(id, { ...newTask(id, fact.title), fix: fact });
    return;
  }
  if (fact.type === 'finalize-started') {
    draft.fixes = new Map(draft.fixes).set(id, { ...newTask(id, fact.title), finalizes: true });
    return;
  }
  const fix = draft.fixes.get(id);
  if (fix) draft.fixes = new Map(draft.fixes).set(id, foldIntoTask(fix, fact));
}
