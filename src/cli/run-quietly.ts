// One short program and its answer, for commands that only look. It shows nothing, asks nothing and never throws.
import { createSpawn } from '../process/spawn.ts';
import type { CliContext } from './context.ts';

/** What a program answered; `code` is null when it could not be started, was ended by a signal or took too long. */
export type Answer = Readonly<{
  code: number | null;
  stdout: string;
  stderr: string;
  /** It could not be started at all. */
  missing: boolean;
}>;

type Options = Readonly<{ cwd?: string; timeoutMs?: number; env?: Readonly<Record<string, string>> }>;

const maxChars = 1_000_000;

/** Runs a program with stdin closed and at most `timeoutMs` (default 10 s) to answer. */
export async function runQuietly(
  context: CliContext,
  file: string,
  args: readonly string[],
  options: Options = {},
): Promise<Answer> {
  const quiet = { LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat' };
  const child = createSpawn()({
    file,
    args,
    cwd: options.cwd ?? context.cwd,
    env: { ...context.env, ...quiet, ...options.env },
    input: 'closed',
    dieWithParent: false,
  });
  const kill = () => child.signal('SIGKILL');
  const timer = setTimeout(kill, options.timeoutMs ?? 10_000);
  context.signal.addEventListener('abort', kill, { once: true });
  try {
    const [stdout, stderr, ended] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      child.ended,
    ]);
    return { code: ended.code, stdout, stderr, missing: ended.startError !== undefined };
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', kill);
  }
}

async function collect(output: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of output) {
    if (text.length < maxChars) text += decoder.decode(bytes, { stream: true });
  }
  return text;
}
