// How git is started: by a launcher where that can be, else by a process of pawl's own; and with which environment. It
// knows no repository and judges no exit code.
import { startClock } from '../process/clock.ts';
import { childEnvironment } from '../process/environment.ts';
import type { ErrandEnd } from '../process/launch-shell.ts';
import type { Input } from '../process/launch-text.ts';
import { isPrinted, partsOf } from '../process/launch-text.ts';
import { findProgram } from '../process/program.ts';
import type { Spawn } from '../process/spawn.ts';
import { type GitEnded, type GitRequest, type OnceRequest, runOnce } from './git-process.ts';

/** Runs git, once for each request up to the first that exits with other than 0; what that came to is returned. A git that cannot be started is a Failure; any exit is a value. Folder, clock and launcher are the first one's. */
export async function runGit(
  spawn: Spawn,
  ...requests: readonly [GitRequest, ...GitRequest[]]
): Promise<GitEnded> {
  const launched = await runLaunched(requests);
  if (launched) return launched;
  const printed: string[] = [];
  for (const [at, request] of requests.entries()) {
    const ended = await runTwice(spawn, { ...request, input: fillIn(request.input, printed) });
    if (at === requests.length - 1 || ended.code !== 0 || ended.cut) return { ...ended, printed };
    printed.push(ended.stdout.toString('utf8').replace(/\n+$/, ''));
  }
  throw new Error('no request');
}

async function runTwice(spawn: Spawn, request: OnceRequest): Promise<Omit<GitEnded, 'printed'>> {
  const { signal, ...ended } = await runOnce(spawn, request);
  if (ended.timedOut || ended.cut || !isFromTerminal(signal)) return ended;
  const { signal: _, ...again } = await runOnce(spawn, request);
  return again;
}

function fillIn(input: Input | undefined, printed: readonly string[]): Uint8Array | undefined {
  if (input === undefined) return undefined;
  const texts = partsOf(input).map((part) => (isPrinted(part) ? (printed[part.printedBy] ?? '') : part));
  return Buffer.concat(texts.map((text) => Buffer.from(text)));
}

/**
 * True for a signal that only a terminal sends. It reaches a program between its fork and its own session, a window of a
 * millisecond [ran]: the program has not begun anything then, so it may be started again.
 */
export function isFromTerminal(signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGINT' || signal === 'SIGQUIT' || signal === 'SIGHUP';
}

/** Undefined where that is no way for them, and nothing was done. */
async function runLaunched(requests: readonly [GitRequest, ...GitRequest[]]): Promise<GitEnded | undefined> {
  const [{ env, clockMs, launcher }] = requests;
  const file = findProgram('git', env['PATH']);
  if (!launcher || file === undefined) return undefined;
  const stop = new AbortController();
  const errands = requests.map((request) => ({ ...request, file }));
  const { maxBytes } = requests.at(-1) ?? {};
  const launched = launcher.launch(errands, { stop: stop.signal, maxBytes });
  if (!launched) return undefined;
  const clock = startClock(clockMs, () => stop.abort());
  try {
    const { stderr, ...ended }: ErrandEnd = await launched;
    return { ...ended, stderr: stderr.toString('utf8'), timedOut: stop.signal.aborted };
  } finally {
    clock.stop();
  }
}

/** The environment of every git command of pawl's: the user's, without what redirects git, and with nobody to ask. */
export function gitEnvironment(base: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // LC_ALL=C would also reach filters and hooks, where it breaks programs that read UTF-8: only messages are set.
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

/** What stderr comes down to: its first complaint, bounded. */
export function essenceOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const complaint = lines.find((line) => /^(fatal|error):/.test(line)) ?? lines.find((line) => line !== '');
  return (complaint ?? 'no message').replace(/^(fatal|error):\s*/, '').slice(0, 400);
}

/** Beyond what no child of pawl's gets: what would change the output that pawl reads. */
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
