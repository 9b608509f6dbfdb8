// Releases what was acquired, last first. Stands in for DisposableStack, which Node 22.18 lacks.

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

  /** The caller must dispose it; this one is then empty. */
  move(): Disposal {
    const other = new Disposal();
    other.#kept = this.#kept;
    this.#kept = [];
    return other;
  }

  /** Even if some of it throws; rethrows the first error. */
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
