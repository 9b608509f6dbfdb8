// Parts with versions: a reader gets what is newer. Nothing is queued: a slow one misses states, never the last.

/** All versions count within one start of the server. */
let newest = 0;

export function newestVersion(): number {
  return newest;
}

export function nextVersion(): number {
  newest += 1;
  return newest;
}

export class PartStore {
  readonly #parts = new Map<string, Readonly<{ json: string; version: number }>>();

  set(name: string, value: unknown): boolean {
    const json = JSON.stringify(value);
    if (this.#parts.get(name)?.json === json) return false;
    this.#parts.set(name, { json, version: nextVersion() });
    return true;
  }

  /** Those not in `values` become null. */
  setAll(values: ReadonlyMap<string, unknown>): boolean {
    const gone = [...this.#parts.keys()].filter((name) => !values.has(name));
    const all = [...values, ...gone.map((name) => [name, null] as const)];
    return all.map(([name, value]) => this.set(name, value)).includes(true);
  }

  /** Each as a `PartMessage` in JSON. */
  since(version: number): readonly string[] {
    return [...this.#parts].flatMap(([name, part]) =>
      part.version > version ? [`{"part":${JSON.stringify(name)},"value":${part.json}}`] : [],
    );
  }

  values(): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...this.#parts].map(([name, { json }]) => [name, JSON.parse(json)]));
  }
}
