// Splits bytes into lines; a chunk may end even inside a character. Only whole lines are decoded.

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Longer lines are only reported: no agent writes one, and a string cannot hold much more. */
const maxLineBytes = 256 * 1024 * 1024;

/** Passes on each complete line, without its ending. */
export class LineSplitter {
  readonly #take: (line: string) => void;
  readonly #tellTooLong: (bytes: number) => void;
  readonly #limit: number;
  /** Joined once, when the line ends. */
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** `tellTooLong`: gets the length, in bytes, of a line too long to pass on. */
  constructor(
    take: (line: string) => void,
    tellTooLong: (bytes: number) => void = () => {},
    limit = maxLineBytes,
  ) {
    this.#take = take;
    this.#tellTooLong = tellTooLong;
    this.#limit = limit;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      if (this.#length === 0) this.#hand(bytes, from, end);
      else {
        this.#keep(bytes.subarray(from, end));
        this.#handKept();
      }
      from = end + 1;
    }
    if (from < bytes.length) this.#keep(bytes.subarray(from));
  }

  /** What remains is passed on as the last line. */
  end(): void {
    if (this.#length > 0) this.#handKept();
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) this.#pieces = [];
    else this.#pieces.push(Buffer.from(piece));
  }

  #handKept(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    const length = this.#length;
    this.#length = 0;
    if (length > this.#limit) this.#tellTooLong(length);
    else this.#hand(Buffer.concat(pieces, length), 0, length);
  }

  #hand(bytes: Buffer, from: number, end: number): void {
    const last = end > from && bytes[end - 1] === carriageReturn ? end - 1 : end;
    if (last === from) return;
    this.#take(bytes.toString('utf8', from, last));
  }
}
