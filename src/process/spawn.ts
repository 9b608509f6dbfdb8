// Starts programs and reports how they end.
import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import type { Duplex } from 'node:stream';
import { execa } from 'execa';
import { findStartError } from './find-program.ts';
import { readOutput } from './output.ts';

/** `env`: its whole environment. */
export type SpawnRequest = Readonly<{
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** `closed`: /dev/null. */
  input: 'pipe' | 'closed';
  /** A stream both ways, its descriptor 3. Default false. */
  hasWire?: boolean;
}>;

/** `startError`: it could not start (ENOENT, EACCES, E2BIG, …). */
export type ProcessExit = Readonly<{
  code: number | null;
  signal: NodeJS.Signals | null;
  startError?: Error;
}>;

/** Leads a process group and session of its own. */
export interface Spawned {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /**
   * Raw; ends with the program, even if a grandchild keeps the pipe open. Can be read once; unread, it blocks the
   * program.
   */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly wire?: Duplex | undefined;
  /** False if its input accepts no more. */
  send(text: string | Uint8Array): Promise<boolean>;
  closeInput(): void;
  /** Its process group; nothing after its end. */
  signal(signal: NodeJS.Signals): void;
  /** At its own exit, whether or not its output was read. Never rejects. */
  readonly ended: Promise<ProcessExit>;
}

/** A failure to start is in `ended`, never thrown. */
export type Spawn = (request: SpawnRequest) => Spawned;

export type StartedProgram = Pick<SpawnRequest, 'file' | 'args' | 'cwd'> &
  Readonly<{ pid: number | undefined; ended: Promise<ProcessExit> }>;

/** Published for each start, with a `StartedProgram`. */
export const programStarted = channel('pawl:program-started');

export const spawn: Spawn = (request) => {
  const spawned = start(request);
  const { file, args, cwd } = request;
  const told: StartedProgram = { file, args, cwd, pid: spawned.pid, ended: spawned.ended };
  if (programStarted.hasSubscribers) programStarted.publish(told);
  return spawned;
};

function start(request: SpawnRequest): Spawned {
  try {
    const child = execa(request.file, request.args, {
      cwd: request.cwd,
      env: request.env,
      extendEnv: false,
      stdio: [
        request.input === 'pipe' ? 'pipe' : 'ignore',
        'pipe',
        'pipe',
        ...(request.hasWire ? (['pipe'] as const) : []),
      ],
      ...ofItsOwn,
    });
    if (child.pid === undefined) return neverStarted(child.then((result) => startErrorOf(result, request)));
    return running(child.nodeChildProcess, child.pid, (signal) => child.kill(signal));
  } catch (thrown) {
    return neverStarted(Promise.resolve(thrown instanceof Error ? thrown : new Error(String(thrown))));
  }
}

/** Ended with pawl by the watchdog; read as a stream; signalled as a group. */
const ofItsOwn = {
  detached: true,
  killDescendants: true,
  forceKillAfterDelay: false,
  cleanup: false,
  buffer: false,
  reject: false,
  encoding: 'buffer',
} as const;

/** It notices pawl's end only by its input's, and keeps nothing alive; its output is discarded. */
export function startBeside(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const stdio = { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' } as const;
  const { nodeChildProcess: child } = execa(file, args, {
    cwd: '/',
    env,
    extendEnv: false,
    ...ofItsOwn,
    ...stdio,
  });
  child.stdin?.on('error', () => {});
  child.on('error', () => {});
  child.unref();
  return child;
}

function startErrorOf(result: object, request: SpawnRequest): Error {
  const cause = 'cause' in result && result.cause instanceof Error ? result.cause : undefined;
  // Node blames the program for a missing folder.
  return (
    findStartError(request.file, request.cwd, request.env['PATH']) ??
    cause ??
    new Error(`spawn ${request.file}`)
  );
}

export function neverStarted(error: Promise<Error>): Spawned {
  return {
    pid: undefined,
    stdout: nothing(),
    stderr: nothing(),
    send: () => Promise.resolve(false),
    closeInput: () => {},
    signal: () => {},
    ended: error.then((startError) => ({ code: null, signal: null, startError })),
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function running(child: ChildProcess, pid: number, kill: (signal: NodeJS.Signals) => void): Spawned {
  const { stdin, stdout, stderr } = child;
  const exited = new AbortController();
  const ended = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Else Node creates an error, with a stack.
      exited.abort('exited');
      stdin?.destroy();
      resolve({ code, signal });
    });
  });
  // `send` reports a broken pipe.
  stdin?.on('error', () => {});
  const wire = child.stdio[3] as Duplex | null | undefined;
  wire?.on('error', () => {});
  return {
    pid,
    ...(wire ? { wire } : {}),
    stdout: stdout ? readOutput(stdout, exited.signal) : nothing(),
    stderr: stderr ? readOutput(stderr, exited.signal) : nothing(),
    send: (text) =>
      new Promise((resolve) => {
        if (!stdin?.writable) resolve(false);
        else stdin.write(text, (error) => resolve(!error));
      }),
    closeInput: () => void stdin?.end(),
    signal: (signal) => {
      // Once reaped, its pid may be another's.
      if (!exited.signal.aborted) kill(signal);
    },
    ended,
  };
}
