// Folds facts about a carried run, and what a machine that took it up lacks.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import type { Carry } from './carry-state.ts';
import type { Draft } from './fold-run.ts';
import { isAway, isInWork, type SessionState, type TaskState } from './state.ts';

export function foldCarry(draft: Draft, fact: Stamped<Fact>): void {
  if (fact.type !== 'carry') return;
  switch (fact.state) {
    case 'begun': {
      const { remote, ref, owner, job } = fact;
      // The same owner: its remote has a new name.
      const { job: _, ...known } = draft.carry?.owner === owner ? draft.carry : {};
      draft.carry = { takenFrom: [], ...known, remote, ref, owner, ...defined({ job }) };
      return;
    }
    case 'done':
      if (draft.carry)
        draft.carry = { ...withoutFailure(draft.carry, fact.caughtUp), oid: fact.oid, head: fact.head };
      return;
    case 'failed':
      if (draft.carry) draft.carry = { ...draft.carry, failed: fact };
      return;
    case 'fenced':
      if (draft.carry) draft.carry = { ...draft.carry, fenced: fact };
      return;
    case 'taken-up':
      takeUp(draft, fact);
      return;
    case 'work-aside':
      draft.workAside = fact.rescue;
      return;
    case 'work-back':
      delete draft.workAside;
      return;
  }
}

/** An uncarried branch stays one until everything is carried. */
function withoutFailure({ failed, ...carry }: Carry, caughtUp: true | undefined): Carry {
  return failed?.what === 'all' || caughtUp ? carry : { ...carry, ...defined({ failed }) };
}

function takeUp(draft: Draft, fact: FactOf<'carry-taken-up'>): void {
  const { remote, ref, owner, oid, head, from, job, untracked, worktree } = fact;
  const takenFrom = [...(draft.carry?.takenFrom ?? []), from.host];
  draft.carry = { remote, ref, owner, oid, head, takenFrom, ...defined({ job }) };
  // Others may have continued the branch.
  draft.lastHead = head;
  const { worktree: _, ...started } = draft.started;
  draft.started = { ...started, untracked, ...defined({ worktree }) };
  delete draft.worktree;
  if (worktree) draft.worktree = worktree;
  draft.sessions = new Map([...draft.sessions].map(([id, session]) => [id, asForeign(session)]));
  draft.phasesEnded = draft.phasesEnded.filter((phase) => phase !== 'setup' && phase !== 'baseline');
  draft.lanes = new Map();
  draft.rescuesOf = new Map();
  if (draft.workAside !== undefined && fact.gone.includes(draft.workAside)) delete draft.workAside;
  const here = (works: ReadonlyMap<string, TaskState>) =>
    new Map([...works].map(([id, task]) => [id, withRescuesHere(task, fact)]));
  draft.tasks = here(draft.tasks);
  draft.fixes = here(draft.fixes);
}

/** No process here belongs to it. */
function asForeign(session: SessionState): SessionState {
  return session.ended ? session : { ...session, started: { ...session.started, mark: '' } };
}

/** Open work begins at the rescue saved here; one that is not here is not looked for. */
function withRescuesHere(task: TaskState, { rescue, gone }: FactOf<'carry-taken-up'>): TaskState {
  const { start } = task;
  return {
    ...task,
    work: workHere(task, gone),
    ...(start && isInWork(task) ? { start: { ...start, rescue } } : {}),
  };
}

function workHere(task: TaskState, gone: readonly string[]): TaskState['work'] {
  const { work } = task;
  const isGone = work.is !== 'here' && work.rescue !== undefined && gone.includes(work.rescue);
  if (!isGone && work.is !== 'leaving') return work;
  return isAway(task) ? { is: 'discarded' } : { is: 'here' };
}
