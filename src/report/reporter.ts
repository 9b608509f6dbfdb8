// The interface of a reporter, which gets events in order and is closed once, and several reporters combined into one.
import type { Event, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { ReceiptExtra } from './receipt/receipt-extra.ts';

/** How a run ended, as its receipt tells it. */
export type RunEnd = Readonly<{ state: RunState; extra: ReceiptExtra }>;

export interface Reporter {
  /** What it is called where it fails. */
  readonly name: string;
  /** Shows an event, or passes over it. */
  report(event: Stamped<Event>): void;
  /** The run is over and its report written. Not called where pawl itself failed on the way. */
  finish?(end: RunEnd): void;
  /** Leaves the screen as it should be found; nothing follows. */
  close(): void;
}

/** All of them as one. A reporter that throws is left out from then on, and `tell` says so once: no run ends by how it is shown. */
export function joinReporters(reporters: readonly Reporter[], tell: (text: string) => void): Reporter {
  const failed = new Set<Reporter>();
  const each = (act: (reporter: Reporter) => void) => {
    for (const reporter of reporters) {
      if (failed.has(reporter)) continue;
      try {
        act(reporter);
      } catch (error) {
        failed.add(reporter);
        const why = error instanceof Error ? error.message : String(error);
        tell(`The ${reporter.name} reporter failed and shows nothing more: ${why}`);
      }
    }
  };
  return {
    name: reporters.map(({ name }) => name).join(', '),
    report: (event) => each((reporter) => reporter.report(event)),
    finish: (end) => each((reporter) => reporter.finish?.(end)),
    close: () => each((reporter) => reporter.close()),
  };
}
