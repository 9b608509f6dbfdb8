// What a receipt needs beside the state of a run, from the facts that it was folded from; of a state alone its times are none.
import type { Fact, Stamped } from '../../src/event.ts';
import { spentBy } from '../../src/journal/ledger.ts';
import { tallyRun } from '../../src/journal/run-stats.ts';
import type { RunState } from '../../src/journal/state.ts';
import type { ReceiptExtra } from '../../src/report/receipt/receipt-task.ts';

/** The ledger and the statistics of a run. */
export function receiptExtra(state: RunState, facts: readonly Stamped<Fact>[] = []): ReceiptExtra {
  return { spent: (filter) => spentBy(state, filter), stats: tallyRun(facts, state) };
}
