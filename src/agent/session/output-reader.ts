// Reads a process's output: everything into the raw record, whole lines of stdout to the session, and the tail of stderr for
// error messages. Partial messages that are repeated whole later count as signs of life and are dropped.

import { LineSplitter } from '../../line-splitter.ts';
import type { Spawned } from '../../process/spawn.ts';
import { PieceFilter } from './piece-filter.ts';
import { Recording } from './recording.ts';

const tailLength = 8_000;

/** More than any session prints; a program that floods fills the disk no further. */
const mostBytes = 512 * 1024 * 1024;

/** Where the raw records go and who reads the lines. */
export type OutputReaderOptions = Readonly<{
  rawFile: string;
  stderrFile: string;
  /** How lines begin that hold a piece of a reply. */
  pieces: readonly string[];
  onLine: (line: string) => void;
  /** A line of so many bytes came, and is too long to be read; the raw record has it. */
  onTooLong: (bytes: number) => void;
  onPiece: () => void;
  /** It printed more than so many bytes; what follows is neither kept nor read. */
  onFlood: (mostBytes: number) => void;
  /** Default 512 MiB. */
  mostBytes?: number | undefined;
}>;

/** One process's output, read to its end. */
export class OutputReader {
  /** Settles when both outputs have ended and are on disk; rejects at once when a record or the reader failed. */
  readonly done: Promise<void>;
  readonly #options: OutputReaderOptions;
  #tail = '';
  #bytes = 0;
  #isFlooded = false;

  constructor(spawned: Spawned, options: OutputReaderOptions) {
    this.#options = options;
    this.done = this.#listen(spawned);
    this.done.catch(() => {});
  }

  /** The last thousands of characters of stderr. */
  get stderr(): string {
    return this.#tail;
  }

  async #listen(spawned: Spawned): Promise<void> {
    await Promise.all([this.#readOut(spawned.stdout), this.#readErr(spawned.stderr)]);
  }

  async #readOut(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const { rawFile, pieces, onLine, onTooLong, onPiece } = this.#options;
    const recording = new Recording(rawFile, { isTimed: true });
    const lines = new LineSplitter(onLine, onTooLong);
    const filter = new PieceFilter(pieces, onPiece);
    const take = (bytes: Buffer): void => {
      if (bytes.length === 0 || !this.#hasRoom(bytes)) return;
      recording.write(bytes);
      lines.push(bytes);
    };
    try {
      for await (const chunk of chunks) take(filter.pass(chunk));
      take(filter.end());
      lines.end();
    } finally {
      recording.close();
    }
  }

  async #readErr(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const recording = new Recording(this.#options.stderrFile);
    const decoder = new TextDecoder();
    try {
      for await (const chunk of chunks) {
        if (!this.#hasRoom(chunk)) continue;
        recording.write(chunk);
        this.#tail = (this.#tail + decoder.decode(chunk, { stream: true })).slice(-tailLength);
      }
    } finally {
      recording.close();
    }
  }

  /** Whether so much more may be kept of both outputs together. */
  #hasRoom({ length }: Uint8Array): boolean {
    const most = this.#options.mostBytes ?? mostBytes;
    this.#bytes += length;
    if (this.#bytes <= most) return true;
    if (!this.#isFlooded) this.#options.onFlood(most);
    this.#isFlooded = true;
    return false;
  }
}
