// Parts with versions: a reader names the version it last saw and gets what is newer. Nothing is queued: a slow reader
// misses intermediate states, never the last.
import type { PartMessage } from './view.ts';

/** A part as it was last set, as JSON. */
type Part = Readonly<{ json: string; version: number }>;

/** All versions count within one start of the server. */
let clock = 0;

export class PartStore {
  readonly #parts = new Map<string, Part>();

  /** The newest version of all stores. */
  static get now(): number {
    return clock;
  }

  /** Sets a part; an unchanged one keeps its version. Returns true if it changed. */
  set(name: string, value: unknown): boolean {
    const json = JSON.stringify(value);
    if (this.#parts.get(name)?.json === json) return false;
    clock += 1;
    this.#parts.set(name, { json, version: clock });
    return true;
  }

  /** Sets all parts whose names have the prefix; those that are not in `values` are removed. */
  setAll(values: ReadonlyMap<string, unknown>): boolean {
    let news = false;
    for (const [name, value] of values) news = this.set(name, value) || news;
    for (const name of this.#parts.keys())
      if (!values.has(name) && this.#parts.get(name)?.json !== 'null') news = this.set(name, null) || news;
    return news;
  }

  /** What is newer than a version, as lines of JSON, and the version that it brings the reader to. */
  since(version: number): Readonly<{ messages: readonly string[]; version: number }> {
    const fresh = [...this.#parts].filter(([, part]) => part.version > version);
    return {
      messages: fresh.map(([name, { json }]) => `{"part":${JSON.stringify(name)},"value":${json}}`),
      version: fresh.reduce((most, [, part]) => Math.max(most, part.version), version),
    };
  }

  values(): Readonly<Record<string, PartMessage['value']>> {
    return Object.fromEntries([...this.#parts].map(([name, { json }]) => [name, JSON.parse(json)]));
  }
}
