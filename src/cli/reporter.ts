// Chooses how a run is shown: lines for a person, NDJSON for a program.
import type { Writable } from 'node:stream';
import { createJson } from '../report/json.ts';
import { createTerminal, type Terminal } from '../report/terminal.ts';
import type { CliContext } from './context.ts';

/** The reporter of a run; printing between events is for persons only. */
export function createReporter(
  context: CliContext,
  options: Readonly<{ json?: boolean; verbose?: boolean; quiet?: boolean }>,
): Terminal {
  const reporter = options.json
    ? { ...createJson({ stream: context.stdout, verbose: options.verbose ?? false }), print: () => {} }
    : createPerson(context, options);
  return { ...reporter, take: (event) => gather(context.stdout, () => reporter.take(event)) };
}

/** What is written in one turn of the loop leaves in one piece: a pipe costs a system call for each, and an agent may say thousands of things at once. */
function gather(stream: Writable, write: () => void): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  write();
}

function createPerson(
  context: CliContext,
  options: Readonly<{ verbose?: boolean; quiet?: boolean }>,
): Terminal {
  return createTerminal({
    stream: context.stdout,
    isTty: context.isTty && context.env['TERM'] !== 'dumb',
    columns: () => (context.stdout as { columns?: number }).columns ?? context.columns,
    colour: context.colour,
    level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
    now: () => context.now().getTime(),
  });
}
