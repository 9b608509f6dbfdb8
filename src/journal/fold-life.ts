// Folds the run from its start to its ends: its plan, its phases, its commits, its dialogue and its ends, and how often
// in a row pawl was cut off: whatever takes pawl down must not do so forever.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Changes, Entry, type Fold, foldBy } from './changes.ts';
import { beginsReviewAnew } from './fold-works.ts';
import { type CutOffs, type DialogueFact, type LifeState, openSessions, type RunState } from './state.ts';

export function startLife(started: Stamped<FactOf<'run-started'>>): LifeState {
  return {
    started,
    lifeAt: started.at,
    resumes: 0,
    course: { stopAsked: false },
    dialogue: [],
    leave: new Map(),
    requests: new Map(),
    setAside: [],
    phasesEnded: [],
    interventions: [],
    cutOffs: new Map(),
    ...defined({ worktree: started.worktree }),
  };
}

export const foldLife: Fold<RunState, LifeState> = (run, fact) => ({
  ...foldRow(run, fact),
  ...foldHead(run, fact),
  ...defined({ phasesEnded: phasesAfter(run, fact) }),
  cutOffs: cutOffsAfter(run, fact),
});

const foldRow = foldBy<RunState, LifeState>({
  'run-resumed': resume,
  'run-ended': (_, ended) => ({ course: { ended } }),
  phase: ({ course }, { state, phase }) =>
    course.ended ? {} : { course: { stopAsked: course.stopAsked, ...(state === 'started' && { phase }) } },
  intervention: ({ interventions, course }, fact) => ({
    interventions: [...interventions, fact],
    ...(fact.kind === 'stop' && !course.ended && { course: { ...course, stopAsked: true } }),
  }),
  'plan-read': ({ leave }, plan) => ({
    plan,
    leave: new Map([
      ...leave,
      ...plan.tasks.flatMap(({ id, leave: more }) => (more ? [[id, more] as const] : [])),
    ]),
  }),
  'plan-committed': ({ planCommitted }, fact) => ({ planCommitted: planCommitted ?? fact }),
  'plan-edit-set-aside': ({ setAside }, fact) => ({ setAside: [...setAside, fact] }),
  'plan-archived': (_, archive) => ({ archive }),
  'branch-created': (_, { from }) => ({ branchFrom: from }),
  closing: (_, closing) => ({ closing }),
  // While one is landing, others may end a round.
  'round-ended': ({ closing }, { task }) => (closing?.task === task ? { closing: undefined } : {}),
  'task-closed': ({ plan }, { planHash }) => ({
    closing: undefined,
    ...(plan && { plan: { ...plan, hash: planHash } }),
  }),
  'undo-started': (_, undoing) => ({ undoing }),
  'undo-ended': () => ({ undoing: undefined }),
  'task-reopened': reopen,
  'run-squashed': (_, squashed) => ({ squashed }),
  request: (_, fact) => ({ requests: new Entry(fact.branch, fact) }),
  dialogue: ({ dialogue }, fact) => ({ dialogue: [...dialogue, fact] }),
  'carry-taken-up': ({ started: { worktree: _, ...started } }, { untracked, worktree }) => ({
    started: { ...started, untracked, ...defined({ worktree }) },
    worktree,
  }),
});

/** Whoever continues after a rejection looks at the draft again. */
export function dialogueAnew(words: readonly DialogueFact[]): readonly DialogueFact[] {
  const last = words.at(-1);
  return last?.state === 'judged' && last.choice === 'rejected' ? words.slice(0, -1) : words;
}

function resume(run: RunState, fact: Stamped<FactOf<'run-resumed'>>): Changes<LifeState> {
  const { at, worktree, ground } = fact;
  const { traceparent } = run.started.ground;
  return {
    resumes: run.resumes + 1,
    lifeAt: at,
    course: { stopAsked: false },
    // The trace remains the first start's.
    started: { ...run.started, ground: { ...ground, traceparent } },
    ...defined({ worktree }),
    dialogue: dialogueAnew(run.dialogue),
  };
}

/** After an undo even a finished run continues, on the tree that it left. */
function reopen({ course: { ended } }: RunState, fact: FactOf<'task-reopened'>): Changes<LifeState> {
  const { task, tree, head } = fact;
  if (tree === undefined) return {};
  const gone = { archive: undefined, squashed: undefined };
  if (!ended) return gone;
  const takenBack = [...(ended.takenBack ?? []), task];
  const which = takenBack.length === 1 ? `task ${task} was` : `tasks ${takenBack.join(', ')} were`;
  const reasons = [{ exit: 0, code: 'undone', text: `${which} taken back` }];
  return {
    ...gone,
    course: {
      ended: { ...ended, exit: 0, reasons, takenBack, finished: false, tree, ...defined({ head }) },
    },
  };
}

/** Undefined: as they were. */
function phasesAfter(run: RunState, fact: Stamped<Fact>): readonly string[] | undefined {
  const without = (...phases: readonly string[]) => run.phasesEnded.filter((each) => !phases.includes(each));
  if (fact.type === 'phase') return fact.state === 'ended' ? [...run.phasesEnded, fact.phase] : undefined;
  if (fact.type === 'run-resumed') return fact.worktree && without('setup');
  if (fact.type === 'carry' && fact.state === 'taken-up') return without('setup', 'baseline');
  return beginsReviewAnew(run, fact) ? without('review', 'finalize') : undefined;
}

const foldHead = foldBy<RunState, Pick<LifeState, 'lastHead'>>({
  // A lane may be behind the branch.
  'task-started': (_, { lane, commit }) => (lane === undefined ? { lastHead: commit } : {}),
  'plan-committed': (_, { oid }) => ({ lastHead: oid }),
  'plan-archived': (_, { state, oid }) => (state === 'done' ? defined({ lastHead: oid }) : {}),
  'task-closed': (_, { oid }) => ({ lastHead: oid }),
  'work-ended': (_, { oid }) => defined({ lastHead: oid }),
  'replan-ended': (_, { oid }) => defined({ lastHead: oid }),
  'run-squashed': (_, { to }) => ({ lastHead: to }),
  'commits-moved': (_, { head }) => ({ lastHead: head }),
  'task-reopened': (_, { head }) => defined({ lastHead: head }),
  'run-ended': (_, { head }) => defined({ lastHead: head }),
  // Others may have continued the branch.
  'carry-taken-up': (_, { head }) => ({ lastHead: head }),
});

/** Without anything that ended in between. Waits and pauses of pawl could not take it down. */
function cutOffsAfter({ cutOffs, waiting, pause, sessions }: RunState, fact: Stamped<Fact>): CutOffs {
  const without = (...works: readonly string[]): CutOffs =>
    new Map([...cutOffs].filter(([work]) => !works.includes(work)));
  switch (fact.type) {
    case 'round-ended':
      // The session of a correction continues, and may still take pawl down.
      return fact.verdict === 'correct' || fact.outcome === 'crashed' ? cutOffs : without('', fact.task);
    case 'task-closed':
      return without('', fact.task);
    case 'intervention':
      return fact.kind === 'retry' ? new Map() : cutOffs;
    case 'opinion':
    case 'review-round':
    case 'work':
      return fact.state === 'given' || fact.state === 'ended' ? without('') : cutOffs;
    case 'run-resumed': {
      // Whoever starts a stopped run again has looked at it.
      if (fact.after === 'stop') return new Map();
      if (fact.after !== 'crash' || waiting || pause?.since !== undefined) return cutOffs;
      const open = openSessions({ sessions }).flatMap(({ started }) => started.task ?? []);
      const works = ['', ...new Set(open)];
      return new Map([...cutOffs, ...works.map((work) => [work, (cutOffs.get(work) ?? 0) + 1] as const)]);
    }
  }
  return cutOffs;
}
