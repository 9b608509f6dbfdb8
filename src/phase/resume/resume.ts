// The resume table: what journal, git and plan say about a task → what to do first. Pure.

export type Traces = Readonly<{
  /** `closing`: not confirmed. `session`: never ended. `unjudged`: ended without a verdict. */
  journal: 'nothing' | 'session' | 'unjudged' | 'closing' | 'closed';
  /** With the close key, reachable from HEAD. */
  commit: 'none' | 'same-tree' | 'other-tree';
  plan: 'open' | 'ticked';
  ticksAreOurs: boolean;
  /** When the run first read the plan. */
  tickedAtStart: boolean;
}>;

export type Mend =
  | 'none'
  /** Tick if open, then journal the close. */
  | 'confirm-close'
  /** A hook changed the commit: run the checks on it first. */
  | 'check-commit'
  | 'check-again'
  /** Untick from the saved bytes, then check without a new session. */
  | 'untick-and-check'
  /** Restore the plan; the close rules decide on what is left. */
  | 'crashed'
  /** The close rules decide, also by how it ended. */
  | 'judge-again'
  /** A person wants the task redone. */
  | 'reopen'
  /** The plan says done, but the commit is gone. */
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
