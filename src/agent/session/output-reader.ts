// Records a process's output, stdout and stderr apart, and passes on stdout by lines. Pieces that follow whole are
// dropped.
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { unwritable } from '../../failure.ts';
import { LineSplitter } from '../../line-splitter.ts';
import { orElse } from '../../or-else.ts';
import type { Spawned } from '../../process/spawn.ts';
import type { Agent } from '../agent.ts';
import type { SessionPlan } from './session-plan.ts';

const tailLength = 8_000;

/** A runaway program must not fill the disk. */
const mostBytes = 512 * 1024 * 1024;

export type OutputReaderOptions = Pick<SessionPlan, 'rawFile' | 'stderrFile' | 'mostBytes'> &
  Readonly<{
    agent: Pick<Agent, 'pieces'>;
    /** It is in the record already. */
    onLine: (line: string) => void;
    onPiece: () => void;
    /** Of both outputs, or one line. What follows is neither kept nor parsed. */
    onFlood: (mostBytes: number) => void;
  }>;

export class OutputReader {
  /** Both outputs have ended and are on disk; rejects at once if a record or reader fails. */
  readonly done: Promise<void>;
  readonly #options: OutputReaderOptions;
  stderr = '';
  #bytes = 0;
  #isFlooded = false;

  constructor({ stdout, stderr }: Spawned, options: OutputReaderOptions) {
    this.#options = options;
    this.done = Promise.all([this.#readOut(stdout), this.#readErr(stderr)]).then(() => {});
    this.done.catch(() => {});
  }

  async #readOut(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { rawFile, onLine } = this.#options;
    using recording = new Recording(rawFile, { isTimed: true });
    const lines: string[] = [];
    const splitter = new LineSplitter((line) => {
      if (!this.#isPiece(line)) lines.push(line);
    }, this.#flood);
    const passOn = () => {
      const whole = lines.splice(0);
      if (whole.length > 0) recording.write(`${whole.join('\n')}\n`);
      for (const line of whole) onLine(line);
    };
    for await (const chunk of chunks) {
      if (!this.#hasRoom(chunk)) continue;
      splitter.push(chunk);
      passOn();
      // Else a reader of pawl's own output that is a little slower has ever more waiting for it in memory.
      await setImmediate();
    }
    splitter.end();
    passOn();
  }

  async #readErr(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    using recording = new Recording(this.#options.stderrFile);
    const decoder = new TextDecoder();
    for await (const chunk of chunks) {
      if (!this.#hasRoom(chunk)) continue;
      recording.write(chunk);
      this.stderr = (this.stderr + decoder.decode(chunk, { stream: true })).slice(-tailLength);
    }
  }

  #isPiece(line: string): boolean {
    if (!this.#options.agent.pieces?.some((beginning) => line.startsWith(beginning))) return false;
    this.#bytes -= line.length;
    this.#options.onPiece();
    return true;
  }

  /** Of both outputs together. */
  #hasRoom({ length }: Uint8Array): boolean {
    const most = this.#options.mostBytes ?? mostBytes;
    this.#bytes += length;
    if (this.#bytes <= most && !this.#isFlooded) return true;
    this.#flood(most);
    return false;
  }

  readonly #flood = (bytes: number): void => {
    if (!this.#isFlooded) this.#options.onFlood(bytes);
    this.#isFlooded = true;
  };
}

/** Write errors of this file are ignored: only clock times in `pawl logs` are lost. */
const timesSuffix = '.times';

const stampEveryMs = 1000;

/** One growing file, mode 0600. A disk error throws a Failure. */
class Recording {
  readonly #file: string;
  readonly #fd: number;
  readonly #timesFd: number | undefined;
  #bytes = 0;
  #stampedMs = 0;

  /** Truncates. `isTimed`: a second file records when bytes came. */
  constructor(file: string, { isTimed = false } = {}) {
    this.#file = file;
    this.#fd = this.#orFail(() => openSync(file, 'w', 0o600));
    const times = () => openSync(`${file}${timesSuffix}`, 'w', 0o600);
    this.#timesFd = isTimed ? orElse(times, undefined) : undefined;
  }

  /** On return it is in the file. */
  write(chunk: Uint8Array | string): void {
    this.#stamp(Buffer.byteLength(chunk));
    this.#orFail(() => appendFileSync(this.#fd, chunk));
  }

  [Symbol.dispose](): void {
    if (this.#timesFd !== undefined) closeSync(this.#timesFd);
    closeSync(this.#fd);
  }

  /** A line `bytes time`: what begins at that byte came then. */
  #stamp(length: number): void {
    const fd = this.#timesFd;
    const now = Date.now();
    if (fd !== undefined && now - this.#stampedMs >= stampEveryMs) {
      orElse(() => appendFileSync(fd, `${this.#bytes} ${new Date(now).toISOString()}\n`), undefined);
      this.#stampedMs = now;
    }
    this.#bytes += length;
  }

  #orFail<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw unwritable(error, this.#file);
    }
  }
}
