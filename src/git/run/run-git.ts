// How git is started, and with which environment.
import { Failure } from '../../failure.ts';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { runProgram } from '../../process/run-program.ts';
import type { Spawn } from '../../process/spawn.ts';
import { shorten } from '../../shorten.ts';

export type GitRequest = Readonly<{
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
  /** In ms of waking time. */
  clockMs: number;
  /** After so much output the process is ended and `cut` is true. */
  maxBytes?: number;
}>;

export type GitEnded = Readonly<{
  /** Null if a signal ended it. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  cut: boolean;
}>;

const graceMs = 2_000;

/** Throws a Failure if git cannot be started; any exit is a value. */
export async function runGit(spawn: Spawn, request: GitRequest): Promise<GitEnded> {
  const { signal, ...ended } = await runOnce(spawn, request);
  if (ended.timedOut || ended.cut || !isFromTerminal(signal)) return ended;
  const { signal: _, ...again } = await runOnce(spawn, request);
  return again;
}

async function runOnce(
  spawn: Spawn,
  { args, cwd, env, input, clockMs, maxBytes = Number.POSITIVE_INFINITY }: GitRequest,
): Promise<GitEnded & Readonly<{ signal: NodeJS.Signals | null }>> {
  const end = await runProgram(
    { spawn },
    {
      file: findGit(env['PATH']),
      args,
      cwd,
      env,
      stdin: input,
      graceMs,
      timeoutMs: clockMs,
      dieWithParent: false,
      stdoutBytes: maxBytes,
      keepBytes: mostStderr,
    },
  );
  const { code, signal, startError } = end.ended;
  if (startError) throw cannotStart(startError);
  return {
    signal,
    timedOut: end.timedOut,
    cut: end.cut,
    code: signal === null ? code : null,
    stdout: end.stdout.bytes,
    stderr: end.stderr.text,
  };
}

const mostStderr = 500_000;

/** By PATH: git is started dozens of times per task. */
const gits = new Map<string | undefined, string>();

function findGit(searchPath: string | undefined): string {
  const file = gits.get(searchPath) ?? findProgram('git', searchPath);
  if (file !== undefined) gits.set(searchPath, file);
  return file ?? 'git';
}

function cannotStart(cause: Error): Failure {
  return new Failure('environment', 'git cannot be started', {
    hint: 'Install git, or put it on PATH.',
    cause,
  });
}

/** Only a terminal sends these. One between fork and own session meets no program yet: it may be started again. */
export function isFromTerminal(signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGINT' || signal === 'SIGQUIT' || signal === 'SIGHUP';
}

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
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.find((line) => line !== '');
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
