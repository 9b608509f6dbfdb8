// One git process that pawl starts itself, from start to end: its output as bytes, its clock. It judges no exit code.
import { Failure } from '../failure.ts';
import { startClock } from '../process/clock.ts';
import { findProgram } from '../process/program.ts';
import type { Ended, Spawn, Spawned } from '../process/spawn.ts';

export type GitRequest = Readonly<{
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  input?: string | Uint8Array;
  /** In ms of waking time. */
  clockMs: number;
  /** Output beyond it is not waited for: the process is ended and `cut` is true. */
  maxBytes?: number;
}>;

export type GitEnded = Readonly<{
  /** Null when a signal ended it. */
  code: number | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  cut: boolean;
}>;

/** How one process ended. */
export type Once = GitEnded & Readonly<{ signal: NodeJS.Signals | null }>;

/** From TERM to KILL. */
const graceMs = 2_000;

/** After KILL a program ends at once, unless the kernel holds it. */
const killedMs = 5_000;

/** Runs it to its end, or to its clock's. One that not even KILL ends is a Failure, as one that cannot be started. */
export async function runOnce(spawn: Spawn, request: GitRequest): Promise<Once> {
  const { args, cwd, env, input, clockMs, maxBytes = Number.POSITIVE_INFINITY } = request;
  const spawned = spawn({
    file: findProgram('git', env['PATH']) ?? 'git',
    args,
    cwd,
    env,
    input: input === undefined ? 'closed' : 'pipe',
    dieWithParent: false,
  });
  using end = endIn(clockMs, spawned, args[0]);
  const whole = Promise.all([
    collect(spawned.stdout, maxBytes, end.now),
    collect(spawned.stderr, 1_000_000),
    spawned.ended,
    feed(spawned, input),
  ]);
  const [stdout, stderr, ended] = await Promise.race([whole, end.stuck]);
  if (ended.startError) throw cannotStart(ended.startError);
  return {
    code: codeOf(ended),
    signal: ended.signal,
    stdout: stdout.bytes,
    stderr: stderr.bytes.toString('utf8'),
    timedOut: end.isLate(),
    cut: stdout.cut,
  };
}

type Ending = Disposable &
  Readonly<{
    /** Ends it before its time: TERM, a grace, KILL. */
    now(): void;
    /** Its clock rang. */
    isLate(): boolean;
    /** Rejects when not even KILL helps. */
    stuck: Promise<never>;
  }>;

function endIn(clockMs: number, spawned: Spawned, command: string | undefined): Ending {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  let isLate = false;
  let clock = startClock(clockMs, () => {
    isLate = true;
    now();
  });
  const now = (): void => {
    spawned.signal('SIGTERM');
    clock.stop();
    clock = startClock(graceMs, () => {
      spawned.signal('SIGKILL');
      clock = startClock(killedMs, () => reject(cannotEnd(command, spawned.pid)));
    });
  };
  return { now, isLate: () => isLate, stuck, [Symbol.dispose]: () => clock.stop() };
}

function codeOf(ended: Ended): number | null {
  return ended.signal === null ? ended.code : null;
}

function cannotStart(cause: Error): Failure {
  return new Failure('environment', 'git cannot be started.', {
    hint: 'Install git, or put it on PATH.',
    cause,
  });
}

function cannotEnd(command = '', pid: number | undefined): Failure {
  return new Failure('environment', `git ${command} (process ${pid}) does not end, not even by KILL.`, {
    hint: 'The system itself holds it, as on a network disk that is gone: see to that, and run the same command again.',
  });
}

async function feed(spawned: Spawned, input: string | Uint8Array | undefined): Promise<void> {
  if (input === undefined) return;
  if (input.length > 0) await spawned.send(input);
  spawned.closeInput();
}

async function collect(
  output: AsyncIterable<Uint8Array>,
  maxBytes: number,
  stop?: () => void,
): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut = false;
  for await (const chunk of output) {
    if (cut) continue;
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) {
      cut = true;
      stop?.();
    }
  }
  return { bytes: Buffer.concat(chunks), cut };
}
