// The raw record of a session: every byte of its output as it came. It is a stream and no durable effect: nothing is
// decided by it on resume, and a torn tail after a kill is what a reader of it expects.
import { createWriteStream, type WriteStream } from 'node:fs';
import { unwritable } from '../../failure.ts';

/** One growing file, mode 0600; a chunk is taken when `write` has settled. */
export class Recording {
  readonly #file: string;
  readonly #stream: WriteStream;
  #error: Error | undefined;
  #goOn: () => void = () => {};

  /** Opens the file, which is made new or emptied. */
  constructor(file: string) {
    this.#file = file;
    this.#stream = createWriteStream(file, { mode: 0o600, highWaterMark: 1024 * 1024 });
    this.#stream.on('error', (error) => {
      this.#error = error;
    });
    this.#stream.on('drain', () => this.#goOn());
    this.#stream.on('close', () => this.#goOn());
  }

  /** Writes, and waits while the disk is behind; a disk that fails is a Failure. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#check();
    if (this.#stream.write(chunk)) return;
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
    this.#check();
  }

  /** Writes what is left and closes the file. */
  async close(): Promise<void> {
    if (!this.#stream.closed) {
      await new Promise<void>((resolve) => {
        this.#stream.once('close', () => resolve());
        this.#stream.end();
      });
    }
    this.#check();
  }

  #check(): void {
    if (this.#error !== undefined) throw unwritable(this.#error, this.#file);
  }
}
