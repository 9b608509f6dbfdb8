// Chooses how a run is shown: lines for a person, NDJSON for a program.
import { createJson } from '../report/json.ts';
import { createTerminal, type Terminal } from '../report/terminal.ts';
import type { CliContext } from './context.ts';

/** The reporter of a run; printing between events is for persons only. */
export function createReporter(
  context: CliContext,
  options: Readonly<{ json?: boolean; verbose?: boolean; quiet?: boolean }>,
): Terminal {
  if (options.json) {
    const json = createJson({ stream: context.stdout, verbose: options.verbose ?? false });
    return { ...json, print: () => {} };
  }
  return createTerminal({
    stream: context.stdout,
    isTty: context.isTty && context.env['TERM'] !== 'dumb',
    columns: () => (context.stdout as { columns?: number }).columns ?? context.columns,
    colour: context.colour,
    level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
    now: () => context.now().getTime(),
  });
}
