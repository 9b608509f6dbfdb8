// Reads a growing file line by line; a torn last line waits. The file is closed between reads.
import { closeSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from './line-splitter.ts';
import { orElse } from './or-else.ts';

/** Shared, as each read is over before another begins; small, as its lines are all in memory at once. */
const piece = Buffer.allocUnsafe(64 * 1024);

/** One that does not exist yet is empty. */
export class Tail {
  readonly #file: string;
  readonly #splitter: LineSplitter;
  #lines: string[] = [];
  #at = 0;
  #offset = 0;
  #passed = 0;

  /** `from`: the byte to begin at. */
  constructor(file: string, from = 0) {
    this.#file = file;
    this.#offset = from;
    this.#passed = from;
    this.#splitter = new LineSplitter((line) => this.#lines.push(line));
  }

  /** Bytes of the returned lines; empty lines do not count. */
  get passed(): number {
    return this.#passed;
  }

  /** Undefined if there is none yet. */
  next(): string | undefined {
    while (this.#at >= this.#lines.length) {
      this.#lines = [];
      this.#at = 0;
      if (!this.#read()) return undefined;
    }
    const line = this.#lines[this.#at] ?? '';
    this.#at += 1;
    this.#passed += Buffer.byteLength(line) + 1;
    return line;
  }

  /** Nothing more will be written: also returns a torn line. */
  finish(): string | undefined {
    const line = this.next();
    if (line !== undefined) return line;
    this.#splitter.end();
    return this.next();
  }

  #read(): boolean {
    const fd = orElse(() => openSync(this.#file, 'r'), undefined);
    if (fd === undefined) return false;
    try {
      const count = readSync(fd, piece, 0, piece.length, this.#offset);
      this.#offset += count;
      this.#splitter.push(piece.subarray(0, count));
      return count > 0;
    } finally {
      closeSync(fd);
    }
  }
}
