// Runs short programs from a few small shells. To start a program the system copies the memory map of whoever starts it,
// which makes Node stand still for 1 to 4 ms each time and a shell for 0.3 ms [ran]. It knows no git and no clock.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { errandScript, nonceBytes, type Readout, readEnd, splitCode } from './launch-text.ts';

/** A program to run to its end. */
export type Errand = Readonly<{
  /** Absolute. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** Its whole environment; at least what the launcher has. */
  env: Readonly<Record<string, string>>;
  /** Absent: /dev/null. */
  input?: string | Uint8Array;
}>;

/** How it went; `code` is null when a signal ended it, or `stop` did. */
export type ErrandEnd = Readonly<{ code: number | null; stdout: Buffer; stderr: Buffer }>;

/** Runs a program to its end. Undefined, at once and with nothing done: it has to be started in another way. */
export type Launch = (errand: Errand, stop: AbortSignal) => Promise<ErrandEnd> | undefined;

/** Programs at one time; more wait their turn. */
const mostShells = 4;

/** Longer scripts are not worth their quoting. */
const mostBytes = 256 * 1024;

/** A launcher whose programs get `env` and what an errand adds to it. Its shells end with pawl, whose pipe they read. */
export function createLauncher(env: Readonly<Record<string, string>>): Launch {
  const idle: Shell[] = [];
  const waiting: ((shell: Shell) => void)[] = [];
  let shells = 0;
  let isBroken = false;
  const give = (shell: Shell): void => {
    if (shell.isAlive) {
      const next = waiting.shift();
      if (next) next(shell);
      else idle.push(shell);
      return;
    }
    shells -= 1;
    const next = waiting.shift();
    if (next) next(make());
  };
  const make = (): Shell => {
    shells += 1;
    return new Shell(env, () => {
      isBroken = true;
    });
  };
  const take = (): Shell | Promise<Shell> => {
    const free = idle.pop();
    if (free?.isAlive) return free;
    if (free) shells -= 1;
    if (shells < mostShells) return make();
    return new Promise((resolve) => waiting.push(resolve));
  };
  return (errand, stop) => {
    const nonce = randomBytes(nonceBytes / 2).toString('hex');
    const script = isBroken ? undefined : errandScript(errand, env, nonce);
    if (script === undefined || script.length > mostBytes) return undefined;
    return (async () => {
      const shell = await take();
      try {
        return await shell.run(script, nonce, stop);
      } finally {
        give(shell);
      }
    })();
  };
}

/** One shell, which runs one script at a time. */
class Shell {
  isAlive = true;
  readonly #child: ChildProcess;
  readonly #readouts: readonly [Readout, Readout] = [
    { chunks: [], size: 0 },
    { chunks: [], size: 0 },
  ];
  #look: () => void = () => {};

  constructor(env: Readonly<Record<string, string>>, onBroken: () => void) {
    this.#child = spawn('/bin/sh', [], { cwd: '/', env, detached: true, stdio: 'pipe' });
    const { stdin, stdout, stderr } = this.#child;
    for (const [at, stream] of [stdout, stderr].entries()) {
      stream?.on('data', (chunk: Buffer) => {
        const readout = this.#readouts[at];
        readout?.chunks.push(chunk);
        if (readout) readout.size += chunk.length;
        this.#look();
      });
    }
    stdin?.on('error', () => {});
    this.#child.on('error', onBroken);
    // Not its outputs' end, which somebody else may hold off.
    this.#child.on('exit', () => {
      this.isAlive = false;
      this.#look();
    });
    this.#keepAwake(false);
  }

  run(script: string, nonce: string, stop: AbortSignal): Promise<ErrandEnd> {
    const cut = { code: null, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    if (stop.aborted) return Promise.resolve(cut);
    const { promise, resolve } = Promise.withResolvers<ErrandEnd>();
    const end = () => this.#signal('SIGTERM');
    for (const readout of this.#readouts) Object.assign(readout, { chunks: [], size: 0 });
    this.#look = () => {
      const [out, err] = this.#readouts.map((readout) => readEnd(readout, nonce));
      if (!this.isAlive) resolve(cut);
      else if (out && err) resolve({ ...splitCode(out), stderr: err });
    };
    stop.addEventListener('abort', end, { once: true });
    this.#keepAwake(true);
    this.#child.stdin?.write(script);
    this.#look();
    return promise.finally(() => {
      stop.removeEventListener('abort', end);
      this.#look = () => {};
      this.#keepAwake(false);
    });
  }

  /** An idle shell keeps no process alive. */
  #keepAwake(isBusy: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const held of [this.#child, stdin, stdout, stderr] as readonly unknown[]) {
      if (isHeld(held)) held[isBusy ? 'ref' : 'unref']();
    }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || !this.isAlive) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // It ended in this moment.
    }
    if (signal === 'SIGTERM') setTimeout(() => this.#signal('SIGKILL'), 2_000).unref();
  }
}

function isHeld(value: unknown): value is { ref(): void; unref(): void } {
  return typeof value === 'object' && value !== null && 'unref' in value;
}
