// One small shell that is told scripts through a pipe, one at a time, and read until its outputs end with the nonce.
import { type ChildProcess, spawn } from 'node:child_process';
import { setIdle } from './idle.ts';
import { codeBytes, nonceBytes, type Readout, readEnd, splitCode, splitPrinted } from './launch-text.ts';

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

/** What a shell is told at once: commands for so many errands, and the nonce that ends their outputs. */
export type Script = Readonly<{ text: string; nonce: string; count: number }>;

/** One shell, which runs one script at a time. */
export class LaunchShell {
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
    setIdle(this.#child, true);
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
    setIdle(this.#child, false);
    this.#child.stdin?.write(text);
    this.#look();
    return promise.finally(() => {
      stop.removeEventListener('abort', end);
      this.#look = () => {};
      setIdle(this.#child, true);
    });
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
