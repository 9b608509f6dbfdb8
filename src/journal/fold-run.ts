// Folds the run's course and plan, and what closes its tasks or reopens them.

import { defined } from '../defined.ts';
import { waitOf } from '../event/waits.ts';
import { withoutGround } from '../event/without-ground.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { withoutStages } from './fold-review.ts';
import { newTask } from './fold-task.ts';
import type { RunState, SessionState, TaskState } from './state.ts';

export type Draft = { -readonly [K in keyof RunState]: RunState[K] } & {
  tasks: Map<string, TaskState>;
  sessions: Map<number, SessionState>;
};

export function foldIntoRun(draft: Draft, fact: Stamped<Fact>): void {
  foldCourse(draft, fact);
  foldPlan(draft, fact);
  foldClosing(draft, fact);
}

function foldCourse(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'run-resumed':
      resume(draft, fact);
      return;
    case 'run-ended':
      draft.ended = fact;
      delete draft.phase;
      return;
    case 'phase':
      if (fact.state === 'started') {
        draft.phase = fact.phase;
        return;
      }
      delete draft.phase;
      draft.phasesEnded = [...draft.phasesEnded, fact.phase];
      if (fact.knownRed) excuse(draft, fact.knownRed);
      return;
    case 'waiting':
      draft.waiting = fact;
      return;
    case 'waited':
      endWait(draft, fact.at);
      return;
    case 'opinion':
      if (fact.state === 'given') endOutage(draft);
      return;
    case 'intervention':
      draft.interventions = [...draft.interventions, fact];
      return;
  }
}

function resume(draft: Draft, { at, after, worktree, ground }: Stamped<FactOf<'run-resumed'>>): void {
  draft.resumes += 1;
  draft.lifeAt = at;
  delete draft.phase;
  // The trace remains the first start's.
  if (ground) {
    const { traceparent, ...first } = draft.started;
    draft.started = { ...withoutGround(first), ...ground, ...defined({ traceparent }) };
  }
  if (after === 'stop') {
    grantAttempts(draft);
    endOutage(draft);
  }
  delete draft.ended;
  if (!worktree) return;
  draft.worktree = worktree;
  draft.phasesEnded = draft.phasesEnded.filter((phase) => phase !== 'setup');
}

function foldPlan(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'plan-read':
      draft.plan = fact;
      draft.tasks = readTasks(draft, fact);
      draft.leave = readLeave(draft, fact);
      return;
    case 'plan-committed':
      draft.planCommitted ??= fact;
      return;
    case 'plan-edit-set-aside':
      draft.setAside = [...draft.setAside, fact];
      return;
    case 'plan-archived':
      if (fact.state === 'announced') draft.archiving = fact;
      else draft.archived = fact;
      return;
    case 'branch-created':
      draft.branchFrom = fact.from;
      return;
  }
}

function foldClosing(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'task-started':
      if (draft.tasks.has(fact.task)) reviewAnew(draft);
      return;
    case 'closing':
      draft.closing = fact;
      return;
    case 'round-ended':
      // While one is landing, others may end a round.
      if (draft.closing?.task === fact.task) delete draft.closing;
      return;
    case 'task-closed':
      endOutage(draft);
      delete draft.closing;
      if (draft.plan && fact.planHash !== undefined) draft.plan = { ...draft.plan, hash: fact.planHash };
      return;
    case 'undo':
      if (fact.state === 'started') draft.undoing = fact;
      else delete draft.undoing;
      return;
    case 'task-reopened':
      if (fact.tree !== undefined) reopen(draft, fact);
      return;
  }
}

/** After an undo even a finished run continues, on the tree that it left. */
function reopen(draft: Draft, { task, tree, head }: FactOf<'task-reopened'>): void {
  delete draft.archiving;
  delete draft.archived;
  delete draft.squashed;
  if (draft.tasks.has(task)) reviewAnew(draft);
  if (!draft.ended) return;
  const takenBack = [...(draft.ended.takenBack ?? []), task];
  const which = takenBack.length === 1 ? `task ${task} was` : `tasks ${takenBack.join(', ')} were`;
  const reasons = [{ exit: 0, code: 'undone', text: `${which} taken back` }];
  draft.ended = {
    ...draft.ended,
    ...{ exit: 0, reasons, takenBack, finished: false },
    ...defined({ tree, head }),
  };
}

/** Not everything is reviewed and finalized any more: both begin anew. */
function reviewAnew(draft: Draft): void {
  if (draft.review.stages.size === 0 && !draft.finalizing) return;
  draft.review = withoutStages(draft.review);
  draft.fixes = new Map();
  delete draft.finalizing;
  delete draft.ci;
  draft.phasesEnded = draft.phasesEnded.filter((phase) => phase !== 'review' && phase !== 'finalize');
}

export function endWait(draft: Draft, at: string): void {
  const { waiting } = draft;
  // The time a person takes is not the run's.
  if (waiting && waitOf[waiting.why] === 'person') draft.pausedMs += spanMs(waiting.at, at);
  else if (waiting) draft.waitedMs += spanMs(waiting.at, at);
  delete draft.waiting;
}

/** 0 if a clock went back. */
export function spanMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? ms : 0;
}

function readLeave({ leave }: Draft, { tasks }: FactOf<'plan-read'>): RunState['leave'] {
  return new Map([...leave, ...tasks.flatMap(({ id, leave: more }) => (more ? [[id, more] as const] : []))]);
}

function readTasks(draft: Draft, plan: FactOf<'plan-read'>): Map<string, TaskState> {
  return new Map(
    plan.tasks.map(({ id, title }) => {
      const known = draft.tasks.get(id);
      return [id, known ? { ...known, title } : newTask(id, title)];
    }),
  );
}

/** Resuming a stopped run grants every open task new attempts. */
function grantAttempts(draft: Draft): void {
  const grant = (task: TaskState): TaskState =>
    task.standing === 'failed' || task.standing === 'open'
      ? { ...task, standing: 'open', attempts: 0, counted: [] }
      : task;
  const grantAll = (works: Iterable<[string, TaskState]>) =>
    new Map([...works].map(([id, task]) => [id, grant(task)]));
  draft.tasks = grantAll(draft.tasks);
  draft.fixes = grantAll(draft.fixes);
}

/** The agent answers again, or a person has looked. */
export function endOutage(draft: Pick<Draft, 'crashes' | 'outageRow'>): void {
  draft.crashes = 0;
  delete draft.outageRow;
}

/** Checks that were red before the work, and that a person excuses for this run. */
function excuse(draft: Draft, commands: readonly string[]): void {
  draft.knownRed = commands;
  draft.baseline = draft.baseline.map((check) =>
    commands.includes(check.command) ? { ...check, knownRed: true } : check,
  );
}
