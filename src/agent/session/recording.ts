// Writes the raw record of a session: every byte of its output. Not a durable effect: no decision on resume depends on it,
// and readers accept a torn tail. But while a session runs the guard reads what its tools reached for, so output must be in
// the file before anything follows from it.
import { appendFileSync, closeSync, openSync } from 'node:fs';
import { unwritable } from '../../failure.ts';
import { orElse } from '../../or-else.ts';

/** Suffix of the file with a record's times. An error writing it is ignored: only clock times in `pawl logs` are lost. */
const timesSuffix = '.times';

/** The shortest time between two of its lines, milliseconds. */
const stampEveryMs = 1000;

/** One growing file, mode 0600. */
export class Recording {
  readonly #file: string;
  readonly #fd: number;
  readonly #timesFd: number | undefined;
  #bytes = 0;
  #stampedMs = 0;

  /**
   * Creates or truncates the file. `isTimed`: with a second file that records when bytes came. A disk error throws a
   * Failure.
   */
  constructor(file: string, { isTimed = false } = {}) {
    this.#file = file;
    this.#fd = this.#orFail(() => openSync(file, 'w', 0o600));
    this.#timesFd = isTimed
      ? orElse(() => openSync(`${file}${timesSuffix}`, 'w', 0o600), undefined)
      : undefined;
  }

  /** Writes; the bytes are in the file when this returns. */
  write(chunk: Uint8Array): void {
    this.#stamp(chunk.length);
    this.#orFail(() => appendFileSync(this.#fd, chunk));
  }

  close(): void {
    if (this.#timesFd !== undefined) closeSync(this.#timesFd);
    closeSync(this.#fd);
  }

  /** A line `bytes time`: what begins at that byte came at that time. */
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
