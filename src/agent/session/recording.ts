// Writes the raw record of a session: every byte of its output. It is not a durable effect: no decision on resume depends on
// it, and readers accept a torn tail.
import { createWriteStream, type WriteStream } from 'node:fs';
import { unwritable } from '../../failure.ts';

/** Appended to the name of a record: the file of its times. */
const timesSuffix = '.times';

/** The least time between two lines of it, milliseconds. */
const stampEveryMs = 1000;

/** One growing file, mode 0600; a chunk is taken when `write` has settled. */
export class Recording {
  readonly #file: string;
  readonly #stream: WriteStream;
  #error: Error | undefined;
  #goOn: () => void = () => {};
  readonly #times: WriteStream | undefined;
  #bytes = 0;
  #stampedMs = 0;

  /** Opens the file, which is made new or emptied. `isTimed`: with a second one beside it, which says when bytes came. */
  constructor(file: string, { isTimed = false } = {}) {
    this.#file = file;
    this.#stream = createWriteStream(file, { mode: 0o600, highWaterMark: 1024 * 1024 });
    this.#stream.on('error', (error) => {
      this.#error = error;
    });
    this.#stream.on('drain', () => this.#goOn());
    this.#stream.on('close', () => this.#goOn());
    if (!isTimed) return;
    this.#times = createWriteStream(`${file}${timesSuffix}`, { mode: 0o600 });
    // What is lost without it is a clock time in `pawl logs`.
    this.#times.on('error', () => {});
  }

  /** Writes, and waits while the disk is behind; a disk that fails is a Failure. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#check();
    this.#stamp(chunk.length);
    if (this.#stream.write(chunk)) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    this.#check();
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    this.#times?.end();
    if (!this.#stream.closed) {
      await new Promise<void>((resolve) => {
        this.#stream.once('close', () => resolve());
        this.#stream.end();
      });
    }
    this.#check();
  }

  /** A line `bytes time`: what begins at that byte came then. */
  #stamp(length: number): void {
    const now = Date.now();
    if (this.#times && now - this.#stampedMs >= stampEveryMs) {
      this.#times.write(`${this.#bytes} ${new Date(now).toISOString()}\n`);
      this.#stampedMs = now;
    }
    this.#bytes += length;
  }

  #check(): void {
    if (this.#error !== undefined) throw unwritable(this.#error, this.#file);
  }
}
