// What a receipt needs in addition to the folded journal.
import type { Spent } from '../../journal/ledger.ts';
import type { SessionState } from '../../journal/state.ts';

/** What the state alone does not say. */
export type ReceiptExtra = Readonly<{
  /** The ledger of the run: what the sessions that `filter` takes have spent, all by default. */
  spent: (filter?: (session: SessionState) => boolean) => Spent;
  /** A live pawl works on the run right now. */
  live?: boolean;
  /** The reader has just been told how the run ended: the receipt leaves it out. Default false. */
  endTold?: boolean;
}>;
