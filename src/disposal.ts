// Releases what was acquired, last first. Stands in for DisposableStack, which Node 22.18 lacks.

/** Disposes what it was given and did not move. */
export class Disposal implements Disposable {
  #kept: Disposable[] = [];

  /** Returns it; undefined is ignored. */
  use<T extends Disposable | undefined>(thing: T): T {
    if (thing) this.#kept.push(thing);
    return thing;
  }

  defer(act: () => void): void {
    this.#kept.push({ [Symbol.dispose]: act });
  }

  /** To a new Disposal, which the caller must dispose; this one is then empty. */
  move(): Disposal {
    const other = new Disposal();
    other.#kept = this.#kept;
    this.#kept = [];
    return other;
  }

  /** Disposes everything even if some of it throws; rethrows the first error. */
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
