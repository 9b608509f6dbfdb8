// Folds facts about the run as a whole: its plan, waits, ends, and everything outside its tasks.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { withoutStages } from './fold-review.ts';
import { newTask } from './fold-task.ts';
import type { RunState, SessionState, TaskState } from './state.ts';

/** A state while it takes one more fact. */
export type Draft = { -readonly [K in keyof RunState]: RunState[K] } & {
  tasks: Map<string, TaskState>;
  sessions: Map<number, SessionState>;
};

/** Changes the run's own fields after one more fact. */
export function foldIntoRun(draft: Draft, fact: Stamped<Fact>): void {
  switch (fact.type) {
    case 'run-resumed':
      draft.resumes += 1;
      if (fact.after === 'stop') {
        grantAttempts(draft);
        endOutage(draft);
      }
      delete draft.ended;
      if (fact.worktree) {
        draft.worktree = fact.worktree;
        draft.phasesEnded = draft.phasesEnded.filter((phase) => phase !== 'setup');
      }
      return;
    case 'plan-read':
      draft.plan = fact;
      draft.tasks = readTasks(draft, fact);
      return;
    case 'plan-committed':
      draft.planCommitted ??= fact;
      return;
    case 'branch-created':
      draft.branchFrom = fact.from;
      return;
    case 'closing':
      draft.closing = fact;
      return;
    case 'round-ended':
      // Beside one that lands others may end a round.
      if (draft.closing?.task === fact.task) delete draft.closing;
      return;
    case 'task-started':
      if (draft.tasks.has(fact.task)) reviewAnew(draft);
      return;
    case 'opinion-given':
      endOutage(draft);
      return;
    case 'task-closed':
      endOutage(draft);
      delete draft.closing;
      if (draft.plan && fact.planHash !== undefined) draft.plan = { ...draft.plan, hash: fact.planHash };
      return;
    case 'undo-started':
      draft.undoing = fact;
      return;
    case 'discard-started':
      draft.discard = fact;
      delete draft.ended;
      return;
    case 'task-reopened':
      if (fact.tree !== undefined) reopen(draft, fact);
      return;
    case 'files-made':
      if (fact.lane === undefined) draft.leftOut = withMade(draft.leftOut, fact);
      return;
    case 'egress-refused':
      draft.refusedHosts = [...draft.refusedHosts.filter((other) => !isSameHost(other, fact)), fact];
      return;
    case 'rescue-saved':
      if (fact.notHeld.length > 0) draft.rescues = [...draft.rescues, fact];
      return;
    case 'noticed':
      draft.notices = [...draft.notices, fact];
      return;
    case 'plan-edit-set-aside':
      draft.setAside = [...draft.setAside, fact];
      return;
    case 'trust-narrowed':
      draft.narrowed = fact;
      return;
    case 'undo-ended':
      delete draft.undoing;
      return;
    case 'intervention':
      draft.interventions = [...draft.interventions, fact];
      return;
    case 'waiting':
      draft.waiting = fact;
      return;
    case 'waited':
      endWait(draft, fact.at);
      return;
    case 'phase-ended':
      draft.phasesEnded = [...draft.phasesEnded, fact.phase];
      return;
    case 'plan-archiving':
      draft.archiving = fact;
      return;
    case 'plan-archived':
      draft.archived = fact;
      return;
    case 'queued':
      draft.queue = fact;
      return;
    case 'work-set-aside':
      if (fact.task === undefined) draft.workAside = fact.rescue;
      return;
    case 'work-brought-back':
      delete draft.workAside;
      return;
    case 'run-ended':
      draft.ended = fact;
      return;
    case 'act-found':
      if (!isOfTask(draft, fact.task)) draft.violations = [...draft.violations, fact];
      return;
    case 'file-refused':
      if (!isOfTask(draft, fact.task)) draft.refused = [...draft.refused, fact];
      return;
    case 'fresh-verified':
      draft.freshVerified = fact;
      return;
    case 'check-started':
      draft.checks += 1;
      return;
    case 'check-ended':
      // One that was interrupted is run again, and counts then.
      if (fact.result === 'interrupted') return;
      // A baseline that stopped the run is taken again.
      if (fact.when === 'baseline')
        draft.baseline = [...draft.baseline.filter(({ check }) => check !== fact.check), fact];
      if (fact.when === 'at-end') draft.atEnd = [...draft.atEnd, fact];
      return;
  }
}

/** New files that are no work, after one more fact of such. */
export function withMade(
  files: readonly string[],
  { files: told, by }: FactOf<'files-made'>,
): readonly string[] {
  const others = files.filter((file) => !told.includes(file));
  return by === 'session' ? others : [...others, ...told];
}

/** After an undo even a finished run goes on: its plan is back in its place, and its tree is the one the undo left. */
function reopen(draft: Draft, { task, tree, head }: FactOf<'task-reopened'>): void {
  delete draft.archiving;
  delete draft.archived;
  if (!draft.ended) return;
  const before = draft.ended.reasons.find(({ code }) => code === 'undone');
  const earlier = /^tasks? (.+) (?:was|were) taken back$/.exec(before?.text ?? '')?.[1];
  const which = earlier === undefined ? `task ${task} was` : `tasks ${earlier}, ${task} were`;
  const reason = { exit: 0, code: 'undone', text: `${which} taken back` };
  const left = { ...defined({ tree, head }) };
  draft.ended = { ...draft.ended, exit: 0, reasons: [reason], retryable: true, finished: false, ...left };
}

function isSameHost(one: FactOf<'egress-refused'>, other: FactOf<'egress-refused'>): boolean {
  return one.host === other.host && one.port === other.port;
}

/** What was reviewed, and finalized, is not all there is: once the tasks are closed again, that begins anew. */
function reviewAnew(draft: Draft): void {
  if (draft.review.stages.size === 0 && !draft.finalizing) return;
  draft.review = withoutStages(draft.review);
  draft.fixes = new Map();
  delete draft.finalizing;
  draft.phasesEnded = draft.phasesEnded.filter((phase) => phase !== 'review' && phase !== 'finalize');
}

function isOfTask(draft: Draft, task: string | undefined): boolean {
  return task !== undefined && draft.tasks.has(task);
}

/** Counts a wait that ended at an instant. */
export function endWait(draft: Draft, at: string): void {
  const { waiting } = draft;
  // As long as a person takes is no time of the run's.
  if (waiting?.why === 'answer') draft.pausedMs += spanMs(waiting.at, at);
  else if (waiting) draft.waitedMs += spanMs(waiting.at, at);
  delete draft.waiting;
}

/** Milliseconds from one instant to another; 0 where a clock went back. */
export function spanMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? ms : 0;
}

function readTasks(draft: Draft, plan: FactOf<'plan-read'>): Map<string, TaskState> {
  return new Map(
    plan.tasks.map(({ id, title }) => {
      const known = draft.tasks.get(id);
      return [id, known ? { ...known, title } : newTask(id, title)];
    }),
  );
}

/** A person who starts a stopped run again grants every open task new attempts. */
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
