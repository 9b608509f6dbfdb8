// Removes lines that contain only a partial message from a byte stream, before anything is decoded or kept. Recognizes them
// by their first bytes, without parsing JSON.

const newline = 0x0a;

/** Removes lines from a stream by how they begin; all other bytes pass unchanged. */
export class PieceFilter {
  readonly #beginnings: readonly Buffer[];
  readonly #longest: number;
  readonly #onPiece: () => void;
  /** The beginning of a line that is still too short to be judged. */
  #head: Buffer = Buffer.alloc(0);
  /** What the current line was judged to be; undefined at its beginning. */
  #line: 'kept' | 'piece' | undefined;

  /** `onPiece` is called at the beginning of each removed line. */
  constructor(beginnings: readonly string[], onPiece: () => void) {
    this.#beginnings = beginnings.map((text) => Buffer.from(text));
    this.#longest = Math.max(0, ...this.#beginnings.map(({ length }) => length));
    this.#onPiece = onPiece;
  }

  /** What remains of a chunk, in as few parts as there are pieces in between. */
  pass(chunk: Uint8Array): Buffer {
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.#longest === 0) return bytes;
    if (this.#head.length > 0) {
      bytes = Buffer.concat([this.#head, bytes]);
      this.#head = Buffer.alloc(0);
    }
    const kept: Buffer[] = [];
    /** Where the part to keep begins; undefined inside a piece. */
    let keptFrom = this.#line === 'piece' ? undefined : 0;
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(newline, from);
      const to = end === -1 ? bytes.length : end + 1;
      if (this.#line === undefined) {
        if (end === -1 && to - from < this.#longest) {
          this.#head = Buffer.from(bytes.subarray(from));
          if (keptFrom !== undefined) kept.push(bytes.subarray(keptFrom, from));
          return joined(kept);
        }
        const isPiece = this.#isPiece(bytes, from, to);
        this.#line = isPiece ? 'piece' : 'kept';
        if (isPiece && keptFrom !== undefined) kept.push(bytes.subarray(keptFrom, from));
        keptFrom = isPiece ? undefined : (keptFrom ?? from);
      }
      if (end !== -1) this.#line = undefined;
      from = to;
    }
    if (keptFrom !== undefined) kept.push(bytes.subarray(keptFrom));
    return joined(kept);
  }

  /** What was held back of a last line without an end. */
  end(): Buffer {
    const head = this.#head;
    this.#head = Buffer.alloc(0);
    return head;
  }

  #isPiece(bytes: Buffer, from: number, to: number): boolean {
    const isPiece = this.#beginnings.some((one) => isAt(bytes, { from, to }, one));
    if (isPiece) this.#onPiece();
    return isPiece;
  }
}

function joined(parts: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = parts;
  return parts.length > 1 ? Buffer.concat(parts) : only;
}

/** Byte by byte: most lines differ early, and the engine's own comparison costs more than that. */
function isAt(
  bytes: Buffer,
  { from, to }: Readonly<{ from: number; to: number }>,
  beginning: Buffer,
): boolean {
  if (to - from < beginning.length) return false;
  for (let at = 0; at < beginning.length; at += 1) if (bytes[from + at] !== beginning[at]) return false;
  return true;
}
