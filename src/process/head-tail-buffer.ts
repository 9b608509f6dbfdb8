// Output in bounded memory, its head and tail, cut only between UTF-8 characters; and a program's whole output,
// bounded, in a file (no durable effect).
import { closeSync, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { type Failure, unwritable } from '../failure.ts';

export type BoundedOutput = Readonly<{
  /** All, or head and tail without a gap. */
  bytes: Buffer;
  /** UTF-8; a line says how much is left out. */
  text: string;
  omittedBytes: number;
}>;

export class HeadTailBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headLimit = headBytes;
    this.#tailLimit = tailBytes;
  }

  add(chunk: Uint8Array): void {
    this.#totalBytes += chunk.length;
    const fits = Math.min(chunk.length, this.#headLimit - this.#headBytes);
    if (fits > 0) {
      this.#head.push(chunk.subarray(0, fits));
      this.#headBytes += fits;
    }
    const rest = chunk.subarray(Math.max(fits, 0));
    if (rest.length === 0 || this.#tailLimit === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    // Twice the bound bounds memory and copying.
    if (this.#tailBytes > 2 * this.#tailLimit + 65_536) this.#cutTail();
  }

  /** Joined on demand: unseen output costs no copy. */
  kept(): BoundedOutput {
    this.#cutTail();
    const head = [...this.#head];
    const tail = this.#tail;
    const omittedBytes = this.#totalBytes - this.#headBytes - this.#tailBytes;
    return {
      get bytes() {
        return Buffer.concat([...head, ...tail]);
      },
      get text() {
        if (omittedBytes === 0) return Buffer.concat([...head, ...tail]).toString();
        const [start, end] = [textOf(Buffer.concat(head), 'start'), textOf(Buffer.concat(tail), 'end')];
        return `${start}\n… ${omittedBytes} bytes left out …\n${end}`;
      },
      omittedBytes,
    };
  }

  #cutTail(): void {
    if (this.#tail.length === 0) return;
    const joined = Buffer.concat(this.#tail);
    const cut = Math.max(0, joined.length - this.#tailLimit);
    // A copy frees the removed part.
    this.#tail = [cut > 0 ? Buffer.from(joined.subarray(cut)) : joined];
    this.#tailBytes = joined.length - cut;
  }
}

function textOf(bytes: Buffer, side: 'start' | 'end'): string {
  if (side === 'start') return new StringDecoder().write(bytes);
  let from = 0;
  while (from < 3 && ((bytes[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from += 1;
  return bytes.toString('utf8', from);
}

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
  readonly #decoders: Readonly<Record<Source, StringDecoder>> = {
    stdout: new StringDecoder(),
    stderr: new StringDecoder(),
  };
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
    this.#write(Buffer.from(this.#decoders[source].write(chunk)));
  }

  finish(): void {
    for (const decoder of Object.values(this.#decoders)) this.#write(Buffer.from(decoder.end()));
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
