// The resume table: what journal, git and plan say about one task → what must be done before the run continues. Pure;
// `reconcile.ts` acts on it.

export type Traces = Readonly<{
  /**
   * `closing`: announced, not confirmed. `session`: one was started and never ended. `unjudged`: it ended without a
   * verdict.
   */
  journal: 'nothing' | 'session' | 'unjudged' | 'closing' | 'closed';
  /** The commit that carries the close key, searched for among those reachable from HEAD. */
  commit: 'none' | 'same-tree' | 'other-tree';
  plan: 'open' | 'ticked';
  ticksAreOurs: boolean;
  /** The steps were already ticked when the run first read the plan. */
  tickedAtStart: boolean;
}>;

export type Mend =
  | 'none'
  /** Tick if open, then journal the close. */
  | 'confirm-close'
  /** A hook changed the commit: run the checks on it first. */
  | 'check-commit'
  | 'check-again'
  /** Untick from the saved bytes, then check again without a new session. */
  | 'untick-and-check'
  /** The session was cut off: restore the plan, and let the close rules decide on what it left. */
  | 'crashed'
  /** The session ended by itself: the close rules decide on what it left and how it ended. */
  | 'judge-again'
  /** The steps are open again: a person wants the task redone. */
  | 'reopen'
  /** The commit is gone, but the plan says done: history was rewritten. */
  | 'history-rewritten'
  | 'closed-by-hand';

export function judgeTraces(traces: Traces): Mend {
  switch (traces.journal) {
    case 'closing':
      if (traces.commit === 'same-tree') return 'confirm-close';
      if (traces.commit === 'other-tree') return 'check-commit';
      return traces.plan === 'ticked' && traces.ticksAreOurs ? 'untick-and-check' : 'check-again';
    case 'session':
      return 'crashed';
    case 'unjudged':
      return 'judge-again';
    case 'closed':
      if (traces.plan === 'open') return 'reopen';
      return traces.commit === 'none' ? 'history-rewritten' : 'none';
    case 'nothing':
      return traces.plan === 'ticked' && !traces.tickedAtStart ? 'closed-by-hand' : 'none';
  }
}
