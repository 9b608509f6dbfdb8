// Creates the list of reporters that show a run. All get the same events.
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { effect } from '../effect.ts';
import { needFailure } from '../failure.ts';
import { maskEvent } from '../journal/mask.ts';
import { runsFolder } from '../journal/run-files.ts';
import type { RunState } from '../journal/state.ts';
import { allowCommands, annotationsOf, stopCommands } from '../report/github.ts';
import { writeReceipt } from '../report/receipt/receipt.ts';
import { createJson, joinReporters, type Reporter } from '../report/reporter.ts';
import { createTerminal, type Terminal, type TerminalOptions } from '../report/terminal/terminal.ts';
import { viewRun } from '../report/view/view-run.ts';
import { type CliContext, printNote } from './context.ts';
import type { RunFlags } from './run-options.ts';

type ShowOptions = Pick<RunFlags, 'json' | 'verbose' | 'quiet'> &
  Readonly<{
    commonDir: string;
    others?: readonly Reporter[];
    /** Keeps secrets out of a text. */
    mask: (text: string) => string;
  }>;

/** `all` receives events. `screen`: what a person looks at; none with `--json`. */
export type Reporters = Readonly<{ all: Required<Reporter>; screen: Terminal | undefined }>;

export function createReporters(context: CliContext, options: ShowOptions): Reporters {
  const screen = options.json ? undefined : createScreen(context, options);
  const { stdout: stream } = context;
  const { json = false, verbose = false } = options;
  const shown = [screen ?? createJson({ stream, verbose }), ...createGithub(context, { json })];
  const list = [...shown, ...(options.others ?? [])];
  const all = joinReporters(list, (text) => printNote(context, text));
  const report: Reporter['report'] = (event, ...states) =>
    gather(stream, () => all.report(maskEvent(event, options.mask), ...states));
  return { all: { ...all, report }, screen };
}

/** From the current folder; absolute if more than two folders up. */
export function nameRuns({ cwd }: CliContext, commonDir: string): string {
  const folder = runsFolder(commonDir);
  const relative = path.relative(cwd, folder);
  return /^(?:\.\.[/\\]){3}/.test(relative) ? folder : relative;
}

/** Or what is in the terminal's place: a file, a pipe. */
export function createScreen(
  context: CliContext,
  options: Pick<ShowOptions, 'quiet' | 'verbose' | 'commonDir'>,
  more: Partial<TerminalOptions> = {},
): Terminal {
  return createTerminal({
    stream: context.stdout,
    isTty: context.isTty && context.env['TERM'] !== 'dumb',
    columns: () => (context.stdout as { columns?: number }).columns ?? context.columns,
    rows: () => (context.stdout as { rows?: number }).rows ?? 24,
    colour: context.colour,
    level: options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal',
    runs: nameRuns(context, options.commonDir),
    now: () => context.now().getTime(),
    ...more,
  });
}

/** What is written in one turn of the event loop leaves in one piece: each write to a pipe is a system call. */
function gather(stream: Writable, write: () => void): void {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  write();
}

/** None outside GitHub Actions. `json`: stdout is for a program, and annotations go to stderr. */
export function createGithub(
  context: CliContext,
  { json }: Readonly<{ json: boolean }>,
): readonly Reporter[] {
  if (context.env['GITHUB_ACTIONS'] !== 'true') return [];
  const out = json ? context.stderr : context.stdout;
  const word = json ? undefined : context.random(16);
  let isStopped = word !== undefined;
  if (word !== undefined) out.write(`${stopCommands(word)}\n`);
  const allow = () => {
    if (isStopped && word !== undefined) out.write(`${allowCommands(word)}\n`);
    isStopped = false;
  };
  const finish = (state: RunState) => {
    allow();
    for (const line of annotationsOf(viewRun(state, {}))) out.write(`${line}\n`);
    writeSummary(context, writeReceipt(state));
  };
  return [{ name: 'GitHub', report: () => {}, finish, close: allow }];
}

/** Without the file the receipt is still on the screen. */
function writeSummary(context: CliContext, receipt: string): void {
  const file = context.env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    effect('file', 'append to the summary of the step', () => appendFileSync(file, `${receipt}\n`));
  } catch (error) {
    const failure = needFailure(error, file);
    printNote(context, `The summary of the step was not written: ${failure.message}`);
  }
}
