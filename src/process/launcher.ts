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

/** Runs programs until it is closed. */
export interface Launcher {
  /** Runs a program to its end. Undefined, at once and with nothing done: it has to be started in another way. */
  launch(errand: Errand, stop: AbortSignal): Promise<ErrandEnd> | undefined;
  /** Lets its shells end, and waits for those that are idle; from then on it launches nothing. */
  close(): Promise<void>;
}

/** Programs at one time; more wait their turn. */
const mostShells = 4;

/** Longer scripts are not worth their quoting. */
const mostBytes = 256 * 1024;

/** A launcher whose programs get `env` and what an errand adds to it. Its shells end with pawl, whose pipe they read. */
export function createLauncher(env: Readonly<Record<string, string>>): Launcher {
  return new ShellPool(env);
}

class ShellPool implements Launcher {
  readonly #env: Readonly<Record<string, string>>;
  readonly #idle: Shell[] = [];
  readonly #waiting: ((shell: Shell) => void)[] = [];
  #shells = 0;
  #isOpen = true;

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env;
  }

  launch(errand: Errand, stop: AbortSignal): Promise<ErrandEnd> | undefined {
    const nonce = randomBytes(nonceBytes / 2).toString('hex');
    const script = this.#isOpen ? errandScript(errand, this.#env, nonce) : undefined;
    if (script === undefined || script.length > mostBytes) return undefined;
    return this.#run(script, nonce, stop);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#idle.map((shell) => shell.close()));
  }

  async #run(script: string, nonce: string, stop: AbortSignal): Promise<ErrandEnd> {
    const shell = await this.#take();
    try {
      return await shell.run(script, nonce, stop);
    } finally {
      this.#give(shell);
    }
  }

  #take(): Shell | Promise<Shell> {
    for (let free = this.#idle.pop(); free; free = this.#idle.pop()) {
      if (free.isAlive) return free;
      this.#shells -= 1;
    }
    if (this.#shells < mostShells) return this.#make();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(shell: Shell): void {
    const next = this.#waiting.shift();
    if (shell.isAlive && next) next(shell);
    else if (shell.isAlive && this.#isOpen) this.#idle.push(shell);
    else {
      void shell.close();
      this.#shells -= 1;
      if (next) next(this.#make());
    }
  }

  #make(): Shell {
    this.#shells += 1;
    return new Shell(this.#env, () => {
      this.#isOpen = false;
    });
  }
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
    this.#child.on('error', () => {
      onBroken();
      this.isAlive = false;
      this.#look();
    });
    // Not its outputs' end, which somebody else may hold off.
    this.#child.on('exit', () => {
      this.isAlive = false;
      this.#look();
    });
    this.#keepAwake(false);
  }

  /** Lets it end once it has nothing more to read, and waits for that. */
  async close(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.ref();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
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
