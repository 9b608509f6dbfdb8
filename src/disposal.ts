// What a block of work must release at its end, last acquired first: Node's DisposableStack, which 22.18 lacks.

/** Gives back what it was given to keep when it is disposed, unless that was moved on before. */
export class Disposal implements Disposable {
  #kept: Disposable[] = [];

  /** Keeps a thing that disposes itself, and returns it; nothing is nothing to keep. */
  use<T extends Disposable | undefined>(thing: T): T {
    if (thing) this.#kept.push(thing);
    return thing;
  }

  /** Keeps an act for the end. */
  defer(act: () => void): void {
    this.#kept.push({ [Symbol.dispose]: act });
  }

  /** Hands all that is kept to another, which the caller has to dispose; this one gives back nothing then. */
  move(): Disposal {
    const other = new Disposal();
    other.#kept = this.#kept;
    this.#kept = [];
    return other;
  }

  /** Gives all back, whatever throws on the way; the first error is thrown at the end. */
  [Symbol.dispose](): void {
    const errors: unknown[] = [];
    for (let thing = this.#kept.pop(); thing; thing = this.#kept.pop()) {
      try {
        thing[Symbol.dispose]();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
