// Runs one program to its end, with a timeout, bounded memory and nothing left behind. Not by execa's `timeout`,
// `cancelSignal`, `maxBuffer`: sandboxed programs are not its children, a machine's sleep must not count, an output's
// tail matters too.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { startClock } from './clock.ts';
import { terminate } from './end.ts';
import { startLack } from './find-program.ts';
import { type BoundedOutput, HeadTailBuffer, OutputLog } from './head-tail-buffer.ts';
import type { ProcessExit, Spawn, Spawned, SpawnRequest } from './spawn.ts';
import type { Mark, Process, Sweep } from './sweep.ts';

export type ProgramRequest = Omit<SpawnRequest, 'input'> &
  Readonly<{
    /** Absent: /dev/null. */
    stdin?: string | Uint8Array | undefined;
    /** Milliseconds of waking time. */
    timeoutMs: number;
    signal?: AbortSignal;
    /** From TERM to KILL; default 10 s. */
    graceMs?: number;
    /** Kept in memory of each output's head; default 64 KiB. */
    keepBytes?: number;
    /** Kept besides, of each output's tail; default `keepBytes`. */
    keepTailBytes?: number;
    /** Standard output is kept whole; if it is longer, the program is ended (`cut`). Absent: it is bounded too. */
    stdoutBytes?: number;
    /** Both outputs are appended as they come, but the middle of more than 100 MB; mode 0600. */
    outputFile?: string;
    /** In its `env`: all that carries it is ended after the program. Absent: only what it leaves if ended early. */
    mark?: Mark;
  }>;

export type ProgramEnd = Readonly<{
  ended: ProcessExit;
  timedOut: boolean;
  /** `signal` ended it, or kept it from starting. */
  aborted: boolean;
  cut: boolean;
  stdout: BoundedOutput;
  stderr: BoundedOutput;
  /** Both, roughly in order of arrival. Empty if `stdoutBytes` is given. */
  output: BoundedOutput;
  durationMs: number;
  /** What it left running; pawl ended it. */
  leftovers: readonly Process[];
}>;

/** `sweep`: absent for a program that starts none of its own. */
export type ProgramTools = Readonly<{ spawn: Spawn; sweep?: Sweep | undefined }>;

const programGraceMs = 10_000;

const defaultKeepBytes = 64 * 1024;

/**
 * A bad end is a value. Throws a Failure: `disk`, after the program's end, if `outputFile` cannot be written;
 * `environment` if it does not end.
 */
export async function runProgram(tools: ProgramTools, request: ProgramRequest): Promise<ProgramEnd> {
  const since = performance.now();
  const buffers = makeBuffers(request);
  const result = (ended: ProcessExit, leftovers: readonly Process[], why?: StopReason): ProgramEnd => ({
    ended,
    timedOut: why === 'timeout',
    aborted: why === 'abort',
    cut: why === 'cut',
    stdout: buffers.stdout.kept(),
    stderr: buffers.stderr.kept(),
    output: buffers.output.kept(),
    durationMs: performance.now() - since,
    leftovers,
  });
  if (request.signal?.aborted) return result({ code: null, signal: null }, [], 'abort');
  using log = new OutputLog(request.outputFile, buffers.output);
  const { stdin, stdoutBytes = Number.POSITIVE_INFINITY } = request;
  const program = tools.spawn({ ...request, input: stdin === undefined ? 'closed' : 'pipe' });
  using ending = watchEnd(program, request);
  if (stdin !== undefined) void program.send(stdin).then(() => program.closeInput());
  const pump = async (source: 'stdout' | 'stderr') => {
    let bytes = 0;
    for await (const chunk of program[source]) {
      bytes += chunk.length;
      if (ending.why() === 'cut') continue;
      buffers[source].add(chunk);
      if (request.stdoutBytes === undefined) log.add(source, chunk);
      if (source === 'stdout' && bytes > stdoutBytes) ending.end('cut');
      if (log.failure) ending.end('disk');
    }
  };
  const pumps = Promise.all([pump('stdout'), pump('stderr')]);
  const ended = await Promise.race([program.ended, ending.stuck]);
  const why = ending.settle();
  await pumps;
  log.finish();
  const lack = ended.startError && startLack(path.basename(request.file), ended.startError);
  if (lack) throw lack;
  const leftovers = await clear(tools.sweep, request, { pid: program.pid, stopped: why !== undefined });
  if (log.failure) throw log.failure;
  return result(ended, leftovers, why);
}

function makeBuffers({
  keepBytes = defaultKeepBytes,
  keepTailBytes = keepBytes,
  stdoutBytes,
}: ProgramRequest) {
  const make = () => new HeadTailBuffer(keepBytes, keepTailBytes);
  const whole = new HeadTailBuffer(Number.POSITIVE_INFINITY, 0);
  return { stdout: stdoutBytes === undefined ? make() : whole, stderr: make(), output: make() };
}

type StopReason = 'timeout' | 'abort' | 'cut' | 'disk';

/** `stuck` rejects if not even KILL helps; `settle`: after its exit. */
function watchEnd(program: Spawned, request: ProgramRequest) {
  const { promise: stuck, reject: giveUp } = Promise.withResolvers<never>();
  stuck.catch(() => {});
  let why: StopReason | undefined;
  let isSettled = false;
  const end = (reason: StopReason) => {
    if (why !== undefined || isSettled) return;
    why = reason;
    const { graceMs = programGraceMs, file } = request;
    void terminate(program, graceMs).then((isGone) => isGone || giveUp(cannotEnd(file, program.pid)));
  };
  const abort = () => end('abort');
  const clock = startClock(request.timeoutMs, () => end('timeout'));
  request.signal?.addEventListener('abort', abort, { once: true });
  const settle = () => {
    isSettled = true;
    clock.stop();
    request.signal?.removeEventListener('abort', abort);
    return why;
  };
  return { stuck, end, settle, why: () => why, [Symbol.dispose]: () => void settle() };
}

function cannotEnd(file: string, pid: number | undefined): Failure {
  return new Failure(
    'environment',
    `${path.basename(file)} (process ${pid}) does not end, even after SIGKILL`,
    {
      hint: 'The system itself blocks it, for example on a network disk that is gone: fix that, and run the same command again.',
    },
  );
}

async function clear(
  sweep: Sweep | undefined,
  request: ProgramRequest,
  end: Readonly<{ pid: number | undefined; stopped: boolean }>,
): Promise<readonly Process[]> {
  if (!sweep || end.pid === undefined) return [];
  if (request.mark !== undefined) return sweep.end(request.mark, { root: end.pid });
  // Without a mark, its tree and session are the only handle.
  return end.stopped ? sweep.end('PAWL_CHECK=', { root: end.pid }) : [];
}
