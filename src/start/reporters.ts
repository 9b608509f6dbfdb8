// Creates the list of reporters that show a run. All get the same events.

import path from 'node:path';
import type { Writable } from 'node:stream';
import { maskEvent, maskSecrets, type Secret } from '../journal/mask.ts';
import { runsFolder } from '../journal/run-files.ts';
import { createJson } from '../report/json.ts';
import { joinReporters, type Reporter } from '../report/reporter.ts';
import { createTerminal, type Terminal } from '../report/terminal/terminal.ts';
import { type CliContext, printNote } from './context.ts';
import { createGithub } from './github-reporter.ts';

type ShowOptions = Readonly<{
  json?: boolean;
  verbose?: boolean;
  quiet?: boolean;
  time?: boolean;
  commonDir: string;
  /** Those that report the run elsewhere. */
  others?: readonly Reporter[];
  /** What must not be shown, besides the secrets in the environment. */
  secrets?: readonly Secret[];
}>;

/** `all`: what receives events. `screen`: the one that a person looks at; none with `--json`. */
export type Reporters = Readonly<{ all: Required<Reporter>; screen: Terminal | undefined }>;

/** The reporters of a run in the repository whose git folder is `commonDir`. */
export function createReporters(context: CliContext, options: ShowOptions): Reporters {
  const screen = options.json ? undefined : createScreen(context, options);
  const { stdout: stream } = context;
  const { json = false, verbose = false } = options;
  const shown = [screen ?? createJson({ stream, verbose }), ...createGithub(context, { json })];
  const list = [...shown, ...(options.others ?? [])];
  const all = joinReporters(list, (text) => printNote(context, text));
  const mask = maskSecrets(context.env, options.secrets);
  const report: Reporter['report'] = (event) => gather(stream, () => all.report(maskEvent(event, mask)));
  return { all: { ...all, report }, screen };
}

/** The folder of all runs as a path from the current folder; an absolute one if it is more than two folders up. */
export function nameRuns({ cwd }: CliContext, commonDir: string): string {
  const folder = runsFolder(commonDir);
  const relative = path.relative(cwd, folder);
  return /^(?:\.\.[/\\]){3}/.test(relative) ? folder : relative;
}

/** The terminal, or what is in its place: a file, a pipe. */
export function createScreen(context: CliContext, options: Omit<ShowOptions, 'json'>): Terminal {
  return createTerminal({
    stream: context.stdout,
    isTty: context.isTty && context.env['TERM'] !== 'dumb',
    columns: () => (context.stdout as { columns?: number }).columns ?? context.columns,
    rows: () => (context.stdout as { rows?: number }).rows ?? 24,
    colour: context.colour,
    unicode: context.unicode,
    times: options.time,
    level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
    runs: nameRuns(context, options.commonDir),
    now: () => context.now().getTime(),
  });
}

/**
 * What is written in one turn of the event loop leaves in one piece: a pipe costs a system call for each write, and an
 * agent may say thousands of things at once.
 */
function gather(stream: Writable, write: () => void): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  write();
}
