// How far the finalizing has got: its start, what it did to the run's history, its end.
import type { Fact, FactOf, Stamped } from '../event.ts';

/** The finalizing; absent in a run until it begins. */
export type Finalizing = Readonly<{
  started: FactOf<'finalize-started'>;
  /** In their order: each begins where the one before ended. */
  rewrites: readonly FactOf<'history-finalized'>[];
  ended?: FactOf<'finalize-ended'>;
}>;

/** The finalizing after one more fact. */
export function foldFinalizing(last: Finalizing | undefined, fact: Stamped<Fact>): Finalizing | undefined {
  switch (fact.type) {
    case 'finalize-started':
      return { started: fact, rewrites: [] };
    case 'history-finalized':
      return last && { ...last, rewrites: [...last.rewrites, fact] };
    case 'finalize-ended':
      return last && { ...last, ended: fact };
    default:
      return last;
  }
}
