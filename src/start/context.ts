// What a command gets instead of the process. main.ts fills it, tests fake it.
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Folders } from '../config/folders.ts';
import type { Failure } from '../failure.ts';
import type { JobControl } from '../process/job-control.ts';
import { cleanText, type Line, line, paintLine, wrapLine } from '../report/text/line.ts';

/** Where a run is shown in a browser, without the token; undefined if no dashboard is being served. */
export type DashboardLink = (
  folders: Folders,
  run: Readonly<{ commonDir: string; run: string }>,
) => string | undefined;

export type CliContext = Readonly<{
  /** Words after the program's name. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: Readable;
  /** Results. */
  stdout: Writable;
  /** Progress, notices, failures. */
  stderr: Writable;
  isTty: boolean;
  /** stdin and stderr are terminals, and CI is not set. */
  canAsk: boolean;
  /** Width in characters; 80 without a terminal. */
  columns: number;
  colour: boolean;
  /** Aborted by the first INT, TERM or HUP; its reason is an `Interruption`. */
  signal: AbortSignal;
  /** As Ctrl-C: the first call requests an orderly end, the second ends the process. */
  interrupt(): void;
  job: JobControl;
  /** Aborted when nobody reads stdout any more. */
  outputClosed: AbortSignal;
  version: string;
  /** Absolute. */
  nodePath: string;
  /** Node's name for it: `linux`, `darwin`, … */
  platform: string;
  uid: number | undefined;
  folders: Folders;
  loadDashboardLink?: () => Promise<DashboardLink>;
  /** Contains `templates/` and `dist/`. */
  packageRoot: string;
  now(): Date;
  /** That many bytes as lower-case hex. */
  random(bytes: number): string;
}>;

export type Host = Pick<
  NodeJS.Process,
  'argv' | 'env' | 'stdin' | 'stdout' | 'stderr' | 'platform' | 'execPath' | 'getuid'
>;

/** What of a context the process alone decides. */
export function readHost(host: Host) {
  const { argv, env, stdin, stdout, stderr, platform } = host;
  const isTty = stdout.isTTY === true;
  return {
    stdin,
    stdout,
    stderr,
    platform,
    isTty,
    argv: argv.slice(2),
    env: Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    canAsk: stdin.isTTY === true && stderr.isTTY === true && !isSet(env['CI']),
    columns: stdout.columns ?? 80,
    colour: wantsColour(env, isTty),
    nodePath: host.execPath,
    uid: host.getuid?.(),
  } satisfies Partial<CliContext>;
}

export function wantsColour(env: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTty && env['TERM'] !== 'dumb';
}

export function print(context: CliContext, text: string): void {
  context.stdout.write(`${text}\n`);
}

/** Returns exit code 0. */
export function printJson(context: CliContext, value: unknown): number {
  print(context, JSON.stringify(value, undefined, 2));
  return 0;
}

/** A text is a sentence, or a row that two blanks set in, which wraps between words. */
type Row = Line | string;

export function printLines(context: CliContext, rows: readonly Row[]): void {
  writeLines(context.stdout, context, rows);
}

function prose(text: string): Line {
  const indent = text.startsWith('  ') ? 1 : 0;
  return { ...line('plain', text.slice(2 * indent), indent), hang: 2 * indent };
}

export function printNote(context: CliContext, text: string): void {
  context.stderr.write(`${text}\n`);
}

export function printNoteLines(context: CliContext, rows: readonly Row[]): void {
  writeLines(context.stderr, context, rows);
}

function writeLines(stream: Writable, context: CliContext, rows: readonly Row[]): void {
  for (const each of rows.map((one) => (typeof one === 'string' ? prose(one) : one)))
    for (const row of context.isTty ? wrapLine(each, context.columns) : [each])
      stream.write(paintLine(row, context));
}

export function paint(
  context: Pick<CliContext, 'colour'>,
  format: Parameters<typeof styleText>[0],
  text: string,
): string {
  return context.colour ? styleText(format, text, { validateStream: false }) : text;
}

/** Ends with a newline. */
export function formatFailure(look: Pick<CliContext, 'colour'>, { message, hint }: Failure): string {
  const then = hint === undefined ? '' : `${cleanLines(hint).replace(/^/gm, '      ')}\n`;
  return `${paint(look, 'red', 'pawl:')} ${cleanLines(message)}\n${then}`;
}

/** Quoted output, plans and paths must not control the terminal. */
function cleanLines(text: string): string {
  return text.split('\n').map(cleanText).join('\n');
}

export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}
