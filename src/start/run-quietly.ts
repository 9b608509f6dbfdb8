// Runs one short program and returns its answer, showing nothing.
import { runProgram } from '../process/run-program.ts';
import type { CliContext } from './context.ts';
import { host } from './host.ts';

/** `code`: null if it could not start, or was ended by a signal or the time limit. */
export type ProgramAnswer = Readonly<Awaited<ReturnType<typeof runQuietly>>>;

type Options = Readonly<{
  cwd?: string;
  timeoutMs?: number;
  env?: Readonly<Record<string, string>>;
  /** Its whole input. */
  stdin?: string | undefined;
}>;

/** Stdin is closed unless given; `timeoutMs`: 10 s by default. */
export async function runQuietly(
  context: CliContext,
  file: string,
  args: readonly string[],
  options: Options = {},
) {
  const quiet = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat' };
  const { ended, stdout, stderr } = await runProgram(
    { spawn: host.spawn },
    {
      file,
      args,
      signal: context.signal,
      cwd: options.cwd ?? context.cwd,
      env: { ...context.env, ...quiet, ...options.env },
      timeoutMs: options.timeoutMs ?? 10_000,
      graceMs: 500,
      keepBytes: 1_000_000,
      keepTailBytes: 0,
      stdin: options.stdin,
    },
  );
  return {
    code: ended.code,
    stdout: stdout.text,
    stderr: stderr.text,
    missing: ended.startError !== undefined,
  };
}
