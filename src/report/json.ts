// Events as NDJSON as in the journal. The last line of a run is its `run-ended`.
import type { Writable } from 'node:stream';
import type { Reporter } from './reporter.ts';

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
