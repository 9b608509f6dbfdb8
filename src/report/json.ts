// Events as NDJSON, one object a line as the journal has them: facts, and activity where it is asked for. The last line
// of a run is its `run-ended`.
import type { Writable } from 'node:stream';
import type { Reporter } from './reporter.ts';

/** A reporter for programs. `verbose`: activity too. */
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
