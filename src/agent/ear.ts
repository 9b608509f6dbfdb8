// Listens to a process: its output into the raw records, whole lines of stdout to the reader, and the tail of stderr kept
// for the sentence when it fails. Pieces of replies that follow whole are noticed and dropped.
import type { Spawned } from '../process/spawn.ts';
import { PieceFilter } from './piece-filter.ts';
import { Recording } from './recording.ts';
import { LineSplitter } from './stream.ts';

const tailLength = 8_000;

/** Where the raw records go and who reads the lines. */
export type EarOptions = Readonly<{
  rawFile: string;
  stderrFile: string;
  /** How lines begin that hold a piece of a reply. */
  pieces: readonly string[];
  onLine: (line: string) => void;
  /** A line of so many bytes came, and is too long to be read; the raw record has it. */
  onTooLong: (bytes: number) => void;
  onPiece: () => void;
}>;

/** One process's output, read to its end. */
export class Ear {
  /** Settles when both outputs have ended and are on disk; rejects at once when a record or the reader failed. */
  readonly done: Promise<void>;
  #tail = '';

  constructor(spawned: Spawned, options: EarOptions) {
    this.done = this.#listen(spawned, options);
    this.done.catch(() => {});
  }

  /** The last thousands of characters of stderr. */
  get stderr(): string {
    return this.#tail;
  }

  async #listen(spawned: Spawned, options: EarOptions): Promise<void> {
    await Promise.all([readOut(spawned.stdout, options), this.#readErr(spawned.stderr, options.stderrFile)]);
  }

  async #readErr(chunks: AsyncIterable<Uint8Array>, file: string): Promise<void> {
    const recording = new Recording(file);
    const decoder = new TextDecoder();
    try {
      for await (const chunk of chunks) {
        await recording.write(chunk);
        this.#tail = (this.#tail + decoder.decode(chunk, { stream: true })).slice(-tailLength);
      }
    } finally {
      await recording.close();
    }
  }
}

async function readOut(chunks: AsyncIterable<Uint8Array>, options: EarOptions): Promise<void> {
  const recording = new Recording(options.rawFile);
  const lines = new LineSplitter(options.onLine, options.onTooLong);
  const filter = new PieceFilter(options.pieces, options.onPiece);
  const take = async (bytes: Buffer): Promise<void> => {
    if (bytes.length === 0) return;
    await recording.write(bytes);
    lines.push(bytes);
  };
  try {
    for await (const chunk of chunks) await take(filter.pass(chunk));
    await take(filter.end());
    lines.end();
  } finally {
    await recording.close();
  }
}
