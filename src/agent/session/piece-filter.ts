// Takes the lines that hold only a piece of a reply out of a stream of bytes, before anything is decoded or kept. It
// reads no JSON: such a line is known by how it begins.

const newline = 0x0a;

/** Cuts lines out of a stream by how they begin; all other bytes pass as they are. */
export class PieceFilter {
  readonly #beginnings: readonly Buffer[];
  readonly #longest: number;
  readonly #onPiece: () => void;
  /** The beginning of a line that is not long enough yet to be judged. */
  #head: Buffer = Buffer.alloc(0);
  /** What the line at hand is judged to be; undefined at its beginning. */
  #line: 'kept' | 'piece' | undefined;

  /** `onPiece` is called at the beginning of each line that is cut out. */
  constructor(beginnings: readonly string[], onPiece: () => void) {
    this.#beginnings = beginnings.map((text) => Buffer.from(text));
    this.#longest = Math.max(0, ...this.#beginnings.map(({ length }) => length));
    this.#onPiece = onPiece;
  }

  /** The bytes that are left of a chunk. */
  pass(chunk: Uint8Array): Buffer {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#longest === 0) return bytes;
    const kept: Buffer[] = [];
    let from = 0;
    while (from < bytes.length) {
      const end = bytes.indexOf(newline, from);
      const to = end === -1 ? bytes.length : end + 1;
      this.#take(bytes.subarray(from, to), kept);
      if (end !== -1) this.#line = undefined;
      from = to;
    }
    return kept.length === 1 ? (kept[0] ?? bytes) : Buffer.concat(kept);
  }

  /** What was held back of a last line without an end. */
  end(): Buffer {
    const head = this.#head;
    this.#head = Buffer.alloc(0);
    return head;
  }

  /** Takes bytes of one line, its end among them or not. */
  #take(part: Buffer, kept: Buffer[]): void {
    if (this.#line === undefined) {
      const head = this.#head.length === 0 ? part : Buffer.concat([this.#head, part]);
      const isWhole = part.at(-1) === newline;
      if (head.length < this.#longest && !isWhole) {
        this.#head = Buffer.from(head);
        return;
      }
      this.#head = Buffer.alloc(0);
      this.#line = this.#beginnings.some((one) => isAtStart(one, head)) ? 'piece' : 'kept';
      if (this.#line === 'piece') this.#onPiece();
      else kept.push(head);
      return;
    }
    if (this.#line === 'kept') kept.push(part);
  }
}

function isAtStart(beginning: Buffer, line: Buffer): boolean {
  return (
    line.length >= beginning.length && line.compare(beginning, 0, beginning.length, 0, beginning.length) === 0
  );
}
