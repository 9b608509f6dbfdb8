// How git is started, and with which environment.
import { Failure } from '../../failure.ts';
import { childEnvironment } from '../../process/environment.ts';
import { type ProgramEnd, type ProgramRequest, runProgram } from '../../process/run-program.ts';
import type { Spawn } from '../../process/spawn.ts';
import { shorten } from '../../shorten.ts';

/** `stdoutBytes`: after so much output the process is ended and `cut` is true. */
export type GitRequest = Omit<ProgramRequest, 'file'>;

const graceMs = 2_000;

/** Throws a Failure if git cannot be started; any exit is a value. */
export async function runGit(spawn: Spawn, request: GitRequest): Promise<ProgramEnd> {
  const program = { file: 'git', graceMs, keepBytes: mostStderr };
  const whole = { stdoutBytes: Number.POSITIVE_INFINITY, ...program, ...request };
  const end = await untilBegun(() => runProgram({ spawn }, whole));
  const { startError } = end.ended;
  if (!startError) return end;
  throw new Failure('environment', 'git cannot be started', {
    hint: 'Install git, or put it on PATH.',
    cause: startError,
  });
}

/** Only a terminal sends these. One between fork and own session meets no program yet: it is started again, once. */
export async function untilBegun(run: () => Promise<ProgramEnd>): Promise<ProgramEnd> {
  const end = await run();
  const { signal } = end.ended;
  const isFromTerminal = signal === 'SIGINT' || signal === 'SIGQUIT' || signal === 'SIGHUP';
  return isFromTerminal && !end.timedOut && !end.cut ? run() : end;
}

const mostStderr = 500_000;

/** The user's, non-interactive, without variables that redirect git. */
export function gitEnvironment(base: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // LC_ALL=C would reach filters and hooks, and break programs that read UTF-8: only messages are set.
  const locale = base['LC_ALL'] === undefined ? {} : { LC_CTYPE: base['LC_ALL'], LC_ALL: undefined };
  return childEnvironment(base, {
    drop: redirecting,
    set: {
      ...locale,
      LC_MESSAGES: 'C',
      LANGUAGE: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_EDITOR: 'true',
      GIT_SEQUENCE_EDITOR: 'true',
      GIT_MERGE_AUTOEDIT: 'no',
      GIT_PAGER: 'cat',
    },
  });
}

export function essenceOf(stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => line.trim() || []);
  const at = Math.max(
    0,
    lines.findIndex((line) => /^(fatal|error):/.test(line)),
  );
  const complaint = lines[at]?.endsWith(':') ? lines.slice(at).join(' ') : lines[at];
  return shorten((complaint ?? 'no message').replace(/^(fatal|error):\s*/, ''), 400);
}

/** Variables that would change output that pawl parses; others are removed for every child. */
const redirecting = [
  'GIT_INDEX_VERSION',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_TRACE',
];
