// A reporter, which gets events in order and is closed once; several as one; and the one for programs, NDJSON as in the
// journal.
import type { Writable } from 'node:stream';
import type { RunListener, RunState } from '../journal/state.ts';

export interface Reporter {
  readonly name: string;
  report: RunListener;
  /** The run has ended: waits a few seconds at most for deliveries. Never rejects. */
  settle?(): Promise<void>;
  /** The run is over and its report written. Not called if pawl itself failed. */
  finish?(end: RunState): void;
  /** Leaves the screen as it should be found; nothing follows. */
  close(): void;
}

/** One that throws is left out from then on, and `tell` says so once: no run ends because of how it is shown. */
export function joinReporters(
  reporters: readonly Reporter[],
  tell: (text: string) => void,
): Required<Reporter> {
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
    report: (...event) => each((reporter) => reporter.report(...event)),
    settle: async () => {
      await Promise.all(
        reporters.map((reporter) => (failed.has(reporter) ? undefined : reporter.settle?.())),
      );
    },
    finish: (end) => each((reporter) => reporter.finish?.(end)),
    close: () => each((reporter) => reporter.close()),
  };
}

/** `verbose`: activity too. */
export function createJson(options: Readonly<{ stream: Writable; verbose: boolean }>): Reporter {
  let ended = false;
  return {
    name: 'JSON',
    report: (event) => {
      if (ended || (event.type === 'activity' && !options.verbose)) return;
      ended = event.type === 'run-ended';
      options.stream.write(`${JSON.stringify(event)}\n`);
    },
    close: () => {
      ended = true;
    },
  };
}
