// Keeps the head and the tail of an output in bounded memory, cutting only between UTF-8 characters.

export type BoundedOutput = Readonly<{
  /** All, or head and tail without a gap. */
  bytes: Buffer;
  /** UTF-8; a line says how much is left out. */
  text: string;
  totalBytes: number;
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
      totalBytes: this.#totalBytes,
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

/** Length of the longest prefix that does not end inside a UTF-8 character; invalid UTF-8 counts as complete. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const needed = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function textOf(bytes: Buffer, side: 'start' | 'end'): string {
  if (side === 'start') return bytes.toString('utf8', 0, wholeCharacters(bytes));
  let from = 0;
  while (from < 3 && ((bytes[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from += 1;
  return bytes.toString('utf8', from);
}
