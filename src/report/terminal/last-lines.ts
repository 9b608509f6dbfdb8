// A stream that holds lines back until released, and then writes only the last of them.
import { Writable } from 'node:stream';

/** Before its release it keeps `count` lines, by default all; afterwards everything passes. */
export class LastLines extends Writable {
  readonly #stream: Writable;
  readonly #count: number;
  #held: string[] | undefined;

  constructor(stream: Writable, count: number | undefined) {
    super({ decodeStrings: false });
    this.#stream = stream;
    this.#count = count ?? 0;
    this.#held = count === undefined ? undefined : [];
  }

  /** Writes what was held back; only the first time. */
  release(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held && this.#count > 0) this.#stream.write(held.slice(-this.#count).join(''));
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.#held) this.#hold(text);
    else this.#stream.write(text);
    done();
  }

  #hold(text: string): void {
    const held = [...(this.#held ?? []), ...text.split(/(?<=\n)/)];
    this.#held = held.slice(-Math.max(1, this.#count));
  }
}
