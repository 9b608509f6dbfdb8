// Merges stdout and stderr of one program in order of arrival, in a bounded file (no durable effect) and in memory,
// never splitting a character.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Failure, unwritable } from '../failure.ts';
import { HeadTailBuffer, wholeCharacters } from './head-tail-buffer.ts';

type Source = 'stdout' | 'stderr';

/** Endless output must not fill the disk. */
const mostHeadBytes = 100 * 1024 * 1024;
const tailBytes = 1024 * 1024;

export class OutputLog {
  readonly #file: string;
  #fd: number | undefined;
  readonly #keeper: HeadTailBuffer;
  /** What the file has no room for. */
  readonly #rest = new HeadTailBuffer(0, tailBytes);
  #room: number;
  readonly #carry: Record<Source, Uint8Array> = { stdout: new Uint8Array(), stderr: new Uint8Array() };
  /** Nothing is written after it. */
  failure: Failure | undefined;

  /** Appends; if it cannot, throws a Failure `disk`. */
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

  add(source: Source, chunk: Uint8Array): void {
    const carried = this.#carry[source];
    const bytes = carried.length > 0 ? Buffer.concat([carried, chunk]) : chunk;
    const whole = wholeCharacters(bytes);
    this.#carry[source] = bytes.slice(whole);
    this.#write(bytes.subarray(0, whole));
  }

  finish(): void {
    for (const source of ['stdout', 'stderr'] as const) {
      this.#write(this.#carry[source]);
      this.#carry[source] = new Uint8Array();
    }
    const rest = this.#rest.kept();
    this.#put(rest.omittedBytes === 0 ? rest.bytes : Buffer.from(rest.text));
  }

  /** Afterwards only memory keeps output: the descriptor may be reused. */
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
