// Chooses how a run is shown: lines for a person, NDJSON for a program.
import path from 'node:path';
import type { Writable } from 'node:stream';
import { runsFolder } from '../journal/folder.ts';
import { createJson } from '../report/json.ts';
import { createTerminal, type Terminal } from '../report/terminal/terminal.ts';
import type { CliContext } from './context.ts';

/** The reporter of a run in the repository whose git folder is `commonDir`; printing between events is for persons only. */
export function createReporter(
  context: CliContext,
  options: Readonly<{ json?: boolean; verbose?: boolean; quiet?: boolean; commonDir: string; root?: string }>,
): Terminal {
  const reporter = options.json
    ? {
        ...createJson({ stream: context.stdout, verbose: options.verbose ?? false }),
        print: () => {},
        recall: () => {},
        ask: () => {},
        expect: () => {},
        hide: () => {},
        still: () => {},
      }
    : createPerson(context, options);
  return { ...reporter, take: (event) => gather(context.stdout, () => reporter.take(event)) };
}

/** The folder of all runs as it can be opened from the current folder. */
export function nameRuns({ cwd }: CliContext, commonDir: string): string {
  const folder = runsFolder(commonDir);
  const relative = path.relative(cwd, folder);
  return relative.length < folder.length ? relative : folder;
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
  options: Readonly<{ verbose?: boolean; quiet?: boolean; commonDir: string; root?: string }>,
): Terminal {
  return createTerminal({
    stream: context.stdout,
    isTty: context.isTty && context.env['TERM'] !== 'dumb',
    columns: () => (context.stdout as { columns?: number }).columns ?? context.columns,
    colour: context.colour,
    level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
    runs: nameRuns(context, options.commonDir),
    ...(options.root === undefined ? {} : { root: options.root }),
    now: () => context.now().getTime(),
  });
}
