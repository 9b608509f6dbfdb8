// Releases what a block of work has acquired, last acquired first. Stands in for DisposableStack, which Node 22.18 lacks.

/** Disposes everything it was given, unless that was moved to another Disposal first. */
export class Disposal implements Disposable {
  #kept: Disposable[] = [];

  /** Keeps a disposable and returns it; undefined is ignored. */
  use<T extends Disposable | undefined>(thing: T): T {
    if (thing) this.#kept.push(thing);
    return thing;
  }

  /** Registers a function to call on disposal. */
  defer(act: () => void): void {
    this.#kept.push({ [Symbol.dispose]: act });
  }

  /** Moves everything to a new Disposal, which the caller must dispose; this one is then empty. */
  move(): Disposal {
    const other = new Disposal();
    other.#kept = this.#kept;
    this.#kept = [];
    return other;
  }

  /** Disposes everything even if some of it throws; rethrows the first error at the end. */
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
