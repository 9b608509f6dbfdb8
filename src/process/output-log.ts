// Merges stdout and stderr of one program in order of arrival, in a file and in memory, never splitting a character. The file
// is bounded and not a durable effect.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Failure, unwritable } from '../failure.ts';
import { HeadTailBuffer, wholeCharacters } from './head-tail-buffer.ts';

type Source = 'stdout' | 'stderr';

/** A program that never stops printing does not fill the disk: the file gets this much of the head. */
const mostHeadBytes = 100 * 1024 * 1024;
const tailBytes = 1024 * 1024;

/** Holds the file from construction to disposal. */
export class OutputLog {
  readonly #file: string;
  #fd: number | undefined;
  readonly #keeper: HeadTailBuffer;
  /** What the file has no more room for: its tail. */
  readonly #rest = new HeadTailBuffer(0, tailBytes);
  #room: number;
  readonly #carry: Record<Source, Uint8Array> = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  /** The first write that failed; nothing is written after it. */
  failure: Failure | undefined;

  /** Opens the file for appending; a Failure `disk` when that cannot be done. */
  constructor(file: string | undefined, keeper: HeadTailBuffer, headBytes: number = mostHeadBytes) {
    this.#file = file ?? '';
    this.#room = headBytes;
    this.#keeper = keeper;
    try {
      this.#fd = file === undefined ? undefined : openSync(file, 'a', 0o600);
    } catch (cause) {
      throw unwritable(cause, this.#file);
    }
  }

  /** Takes a chunk; what it holds of an unfinished character waits for the rest. */
  add(source: Source, chunk: Uint8Array): void {
    const carried = this.#carry[source];
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
    const whole = wholeCharacters(bytes);
    this.#carry[source] = bytes.slice(whole);
    this.#write(bytes.subarray(0, whole));
  }

  /** Writes what still waits, and of what there was no room for the tail. */
  finish(): void {
    for (const source of ['stdout', 'stderr'] as const) {
      this.#write(this.#carry[source]);
      this.#carry[source] = new Uint8Array();
    }
    const rest = this.#rest.kept();
    this.#put(rest.omittedBytes === 0 ? rest.bytes : Buffer.from(rest.text));
  }

  /** What comes after this is kept in memory alone: the file's number may be another file's by then. */
  [Symbol.dispose](): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) closeSync(fd);
  }

  #write(bytes: Uint8Array): void {
    this.#keeper.add(bytes);
    const fits = Math.min(bytes.length, this.#room);
    this.#room -= fits;
    this.#put(bytes.subarray(0, fits));
    if (fits < bytes.length) this.#rest.add(bytes.subarray(fits));
  }

  #put(bytes: Uint8Array): void {
    if (this.#fd === undefined || this.failure) return;
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#fd, bytes, at);
    } catch (cause) {
      this.failure = unwritable(cause, this.#file);
    }
  }
}
