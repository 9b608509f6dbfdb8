// Runs one program to its end, with a clock, a bound on memory and nothing left behind. It judges no exit code and
// knows neither git nor checks.
import { Failure } from '../failure.ts';
import { startClock } from './clock.ts';
import { Keeper, type Kept } from './kept.ts';
import { OutputLog } from './output-log.ts';
import type { Ended, Spawn, Spawned, SpawnRequest } from './spawn.ts';
import type { Mark, Process, Sweep } from './sweep.ts';

/** A program to run to its end. */
export type CommandRequest = Omit<SpawnRequest, 'input'> &
  Readonly<{
    /** Text for its input, which is closed after it; absent: /dev/null. */
    inputText?: string;
    /** How long it may run, milliseconds of waking time. */
    timeoutMs: number;
    /** Ends it before its time. */
    signal?: AbortSignal;
    /** From TERM to KILL when it is ended before its time; default 10 s. */
    graceMs?: number;
    /** Kept in memory of the head of each output; default 64 KiB. */
    keepBytes?: number;
    /** Kept of the tail of each output, beyond the head; default as `keepBytes`. */
    keepTailBytes?: number;
    /** A file that both outputs are appended to as they come, all but the middle of more than 100 MB; made with mode 0600 if need be. */
    outputFile?: string;
    /** What the program carries in `env`: all that has it is ended after the program. Absent: only what it leaves when it is ended before its time. */
    mark?: Mark;
  }>;

/** How a program went. */
export type CommandEnd = Readonly<{
  ended: Ended;
  /** Its clock rang, and pawl ended it. */
  timedOut: boolean;
  /** The signal came, and pawl ended it or did not start it. */
  aborted: boolean;
  stdout: Kept;
  stderr: Kept;
  /** Both as they came in; what was written at the same moment may stand in either order. */
  output: Kept;
  durationMs: number;
  /** What it left running, and pawl ended. */
  leftovers: readonly Process[];
}>;

/** From TERM to KILL when the request does not say. */
export const commandGraceMs = 10_000;

const defaultKeepBytes = 64 * 1024;

/** Runs a program to its end. A bad end is a value; a Failure `disk` is thrown when `outputFile` cannot be written, after the program was ended. */
export async function runCommand(spawn: Spawn, sweep: Sweep, request: CommandRequest): Promise<CommandEnd> {
  const { keepBytes = defaultKeepBytes, keepTailBytes = keepBytes } = request;
  const since = performance.now();
  const keepers = [0, 1, 2].map(() => new Keeper(keepBytes, keepTailBytes)) as [Keeper, Keeper, Keeper];
  const result = (ended: Ended, leftovers: readonly Process[], why: StopReason | undefined): CommandEnd => ({
    ended,
    timedOut: why === 'timeout',
    aborted: why === 'abort',
    stdout: keepers[0].kept(),
    stderr: keepers[1].kept(),
    output: keepers[2].kept(),
    durationMs: performance.now() - since,
    leftovers,
  });
  if (request.signal?.aborted) return result({ code: null, signal: null }, [], 'abort');
  using log = new OutputLog(request.outputFile, keepers[2]);
  const program = spawn({ ...request, input: request.inputText === undefined ? 'closed' : 'pipe' });
  using leash = holdLeash(program, request);
  if (request.inputText !== undefined) void program.send(request.inputText).then(() => program.closeInput());
  const pump = async (source: 'stdout' | 'stderr', keeper: Keeper) => {
    for await (const chunk of program[source]) {
      keeper.add(chunk);
      log.add(source, chunk);
      if (log.failure) leash.pull('disk');
    }
  };
  const pumps = Promise.all([pump('stdout', keepers[0]), pump('stderr', keepers[1])]);
  const ended = await Promise.race([program.ended, leash.gaveUp]);
  const why = leash.release();
  await pumps;
  log.finish();
  const leftovers = await clear(sweep, request, { pid: program.pid, stopped: why !== undefined });
  if (log.failure) throw log.failure;
  return result(ended, leftovers, why);
}

type StopReason = 'timeout' | 'abort' | 'disk';

/** After KILL a program ends at once, unless the kernel holds it or it is another user's. */
const killWaitMs = 5_000;

type Leash = Readonly<{
  /** Ends the program: TERM and CONT to its group, a grace, KILL. */
  pull(why: StopReason): void;
  /** Why it was pulled, if it was; from now on nothing rings. */
  release(): StopReason | undefined;
  /** Rejects when not even KILL helps. */
  gaveUp: Promise<never>;
  [Symbol.dispose](): void;
}>;

function holdLeash(program: Spawned, request: CommandRequest): Leash {
  const { promise: gaveUp, reject } = Promise.withResolvers<never>();
  gaveUp.catch(() => {});
  let why: StopReason | undefined;
  let released = false;
  const giveUp = () =>
    reject(new Failure('environment', `${request.file} (${program.pid}) does not end, not even by KILL.`));
  const kill = () => {
    program.signal('SIGKILL');
    step = startClock(killWaitMs, giveUp);
  };
  const pull = (reason: StopReason) => {
    if (why !== undefined || released) return;
    why = reason;
    step.stop();
    program.signal('SIGTERM');
    program.signal('SIGCONT');
    step = startClock(request.graceMs ?? commandGraceMs, kill);
  };
  const abort = () => pull('abort');
  let step = startClock(request.timeoutMs, () => pull('timeout'));
  request.signal?.addEventListener('abort', abort, { once: true });
  const release = () => {
    released = true;
    step.stop();
    request.signal?.removeEventListener('abort', abort);
    return why;
  };
  return { pull, release, gaveUp, [Symbol.dispose]: () => void release() };
}

async function clear(
  sweep: Sweep,
  request: CommandRequest,
  end: Readonly<{ pid: number | undefined; stopped: boolean }>,
): Promise<readonly Process[]> {
  if (end.pid === undefined) return [];
  if (request.mark !== undefined) return sweep.end(request.mark, { root: end.pid });
  // Without a mark the tree and session of a program that was ended early are all there is to hold on to.
  return end.stopped ? sweep.end('PAWL_CHECK=', { root: end.pid }) : [];
}
