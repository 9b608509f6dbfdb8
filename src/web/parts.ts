// What the page is sent: what changes gets the next number, and a tab asks with the last that it knows.

/** Begins at the clock, in microseconds: no server gives a number of the one before it. */
let last = Date.now() * 1_000;

export function lastNumber(): number {
  return last;
}

export function nextNumber(): number {
  last += 1;
  return last;
}

/** Named values in JSON, each with the number of its last change. */
export class Parts {
  readonly #first = nextNumber();
  readonly #parts = new Map<string, Readonly<{ n: number; json: string }>>();

  /** Without a value it is gone. */
  set(name: string, value: unknown = null): void {
    const json = JSON.stringify(value);
    if (this.#parts.get(name)?.json !== json) this.#parts.set(name, { n: nextNumber(), json });
  }

  setAll(all: ReadonlyMap<string, unknown>): void {
    for (const name of new Set([...this.#parts.keys(), ...all.keys()])) this.set(name, all.get(name));
  }

  /** False of a number from before these were kept: what is gone since cannot be told, only all there is. */
  reachBackTo(number: number): boolean {
    return number >= this.#first && number <= last;
  }

  since(number: number): readonly string[] {
    return [...this.#parts].flatMap(([name, { n, json }]) =>
      n > number ? [`${JSON.stringify(name)}:${json}`] : [],
    );
  }
}
