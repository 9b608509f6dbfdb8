// Runs short programs from a few small shells. To start a program the system copies the memory map of whoever starts it,
// which makes Node stand still for 1 to 4 ms each time and a shell for 0.3 ms [ran]. It knows no git and no clock.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  codeBytes,
  type Errand,
  errandScript,
  nonceBytes,
  type Readout,
  readEnd,
  splitCode,
  splitPrinted,
} from './launch-text.ts';

/** How it went. */
export type ErrandEnd = Readonly<{
  /** Of the last one, or of the one that failed; null when a signal ended it, or `stop` did. */
  code: number | null;
  /** Of the last one alone. */
  stdout: Buffer;
  stderr: Buffer;
  /** What each before the last printed, as far as they got; text without NUL. */
  printed: readonly string[];
  /** There was more output than asked for, and it was ended. */
  cut: boolean;
}>;

/** When errands are ended early. */
export type LaunchLimits = Readonly<{ stop: AbortSignal /** Of output. */; maxBytes?: number | undefined }>;

/** Runs programs until it is closed. */
export interface Launcher {
  /** Runs programs one after the other, each to its end, up to the first that fails. Where no shell can be told to, it returns undefined at once and has done nothing: start them in another way. */
  launch(errands: readonly Errand[], limits: LaunchLimits): Promise<ErrandEnd> | undefined;
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

  launch(errands: readonly Errand[], limits: LaunchLimits): Promise<ErrandEnd> | undefined {
    const nonce = randomBytes(nonceBytes / 2).toString('hex');
    const text = this.#isOpen ? errandScript(errands, this.#env, nonce) : undefined;
    if (text === undefined || text.length > mostBytes) return undefined;
    return this.#run({ text, nonce, count: errands.length }, limits);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#idle.map((shell) => shell.close()));
  }

  async #run(script: Script, limits: LaunchLimits): Promise<ErrandEnd> {
    const shell = await this.#take();
    try {
      return await shell.run(script, limits);
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

type Script = Readonly<{ text: string; nonce: string; count: number }>;

/** One shell, which runs one script at a time. */
class Shell {
  /** It takes another errand. */
  isAlive = true;
  #hasEnded = false;
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
      this.#end();
    });
    // Not its outputs' end, which somebody else may hold off.
    this.#child.on('exit', () => this.#end());
    this.#keepAwake(false);
  }

  #end(): void {
    this.isAlive = false;
    this.#hasEnded = true;
    this.#look();
  }

  /** Lets it end once it has nothing more to read, and waits for that. */
  async close(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.ref();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await ended;
  }

  run({ text, nonce, count }: Script, { stop, maxBytes = Number.POSITIVE_INFINITY }: LaunchLimits) {
    const nothing = { code: null, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), printed: [], cut: false };
    if (stop.aborted) return Promise.resolve(nothing);
    const { promise, resolve } = Promise.withResolvers<ErrandEnd>();
    const end = () => this.#signal('SIGTERM');
    for (const readout of this.#readouts) Object.assign(readout, { chunks: [], size: 0 });
    this.#look = () => {
      const [out, err] = this.#readouts.map((readout) => readEnd(readout, nonce));
      const { chunks, size } = this.#readouts[0];
      const tooLong = size > maxBytes + nonceBytes + codeBytes;
      const whole = !(out && err) && tooLong ? splitPrinted(Buffer.concat(chunks), count - 1) : undefined;
      if (out && err) resolve({ ...splitCode(out, count - 1), stderr: err, cut: false });
      // What the ones before it printed is no part of the last one's output.
      else if (whole && whole.stdout.length > maxBytes + nonceBytes + codeBytes) {
        resolve({ ...nothing, ...whole, cut: true });
        // What it would still print is nobody's.
        this.isAlive = false;
        end();
      } else if (!this.isAlive) resolve(nothing);
    };
    stop.addEventListener('abort', end, { once: true });
    this.#keepAwake(true);
    this.#child.stdin?.write(text);
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
    if (pid === undefined || this.#hasEnded) return;
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
