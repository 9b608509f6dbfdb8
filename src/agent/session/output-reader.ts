// Reads a process's output: everything into the raw record, whole lines of stdout to the session, and the tail of stderr
// for error messages. Partial messages that are later repeated whole count as signs of life and are dropped.

import { LineSplitter } from '../../line-splitter.ts';
import type { Spawned } from '../../process/spawn.ts';
import { PieceFilter } from './piece-filter.ts';
import { Recording } from './recording.ts';

const tailLength = 8_000;

/** More than any session prints, so that a runaway program does not fill the disk. */
const mostBytes = 512 * 1024 * 1024;

/** Where the raw records go, and who gets the lines. */
export type OutputReaderOptions = Readonly<{
  rawFile: string;
  stderrFile: string;
  /** How lines begin that contain a piece of a reply. */
  pieces: readonly string[];
  onLine: (line: string) => void;
  /** A line with that many bytes came, which is too long to parse; the raw record has it. */
  onTooLong: (bytes: number) => void;
  onPiece: () => void;
  /** It printed more than that many bytes; what follows is neither kept nor parsed. */
  onFlood: (mostBytes: number) => void;
  /** Default 512 MiB. */
  mostBytes?: number | undefined;
}>;

export class OutputReader {
  /** Resolves when both outputs have ended and are on disk; rejects at once if a record or the reader failed. */
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

  /** The last few thousand characters of stderr. */
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

  /** Whether that much more of both outputs together may be kept. */
  #hasRoom({ length }: Uint8Array): boolean {
    const most = this.#options.mostBytes ?? mostBytes;
    this.#bytes += length;
    if (this.#bytes <= most) return true;
    if (!this.#isFlooded) this.#options.onFlood(most);
    this.#isFlooded = true;
    return false;
  }
}
