// Looks at journals and locks while somebody watches. Only reads files: no run waits for it.
import { setImmediate as breathe } from 'node:timers/promises';
import type { Place } from '../start/locate.ts';
import { ListedRuns } from './listed-runs.ts';
import { PartStore } from './part-store.ts';
import { WatchedRun } from './watched-run.ts';

/** Between two looks at the open runs, and at the list, milliseconds. */
const lookMs = 250;
const listMs = 1_000;
/** After this long without a look a run is released, milliseconds. */
const keepMs = 60_000;

/** `mask`: applied to all that is shown. `listPlaces`: asked at each look. */
export type WatcherOptions = Readonly<{
  mask: (text: string) => string;
  listPlaces: () => readonly Place[];
}>;

export class Watcher {
  readonly cards = new PartStore();
  readonly runs = new ListedRuns(this.cards);
  readonly #options: WatcherOptions;
  readonly #watched = new Map<string, WatchedRun>();
  readonly #waiting = new Set<() => void>();
  #holds = 0;
  #timer: NodeJS.Timeout | undefined;
  #listedMs = Number.NEGATIVE_INFINITY;
  #listing: Promise<void> | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get mask(): (text: string) => string {
    return this.#options.mask;
  }

  get holds(): number {
    return this.#holds;
  }

  /** Until the returned function is called. */
  hold(): () => void {
    this.#holds += 1;
    this.#timer ??= setTimeout(() => this.#tick(), 0);
    let isHeld = true;
    return () => {
      if (isHeld) this.#holds -= 1;
      isHeld = false;
    };
  }

  refresh(): Promise<void> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Followed from now on; undefined if there is none. */
  watch(id: string): WatchedRun | undefined {
    const listed = this.runs.find(id);
    if (!listed) return undefined;
    const run = this.#watched.get(id) ?? new WatchedRun(listed.place, listed.found, this.#options.mask);
    this.#watched.set(id, run);
    run.lastAskedMs = performance.now();
    run.look(listed.holder !== undefined, performance.now());
    return run;
  }

  change(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.add(done);
    });
  }

  wake(): void {
    for (const done of [...this.#waiting]) done();
  }

  #tick(): void {
    this.#timer = undefined;
    if (this.#holds === 0) {
      this.#forget(Number.POSITIVE_INFINITY);
      return;
    }
    const nowMs = performance.now();
    if (this.#look(nowMs)) this.wake();
    if (nowMs - this.#listedMs >= listMs) void this.refresh();
    this.#forget(nowMs);
    this.#timer = setTimeout(() => this.#tick(), lookMs);
  }

  #look(nowMs: number): boolean {
    let news = false;
    for (const [id, run] of this.#watched) {
      const listed = this.runs.find(id);
      if (!listed) this.#watched.delete(id);
      else if (run.viewers > 0) news = run.look(listed.holder !== undefined, nowMs) || news;
    }
    return news;
  }

  #forget(nowMs: number): void {
    for (const [id, run] of this.#watched)
      if (run.viewers === 0 && nowMs - run.lastAskedMs > keepMs) this.#watched.delete(id);
  }

  async #list(): Promise<void> {
    this.runs.list(this.#options.listPlaces());
    for (const isNews of this.runs.readCards()) {
      if (isNews) this.wake();
      await breathe();
    }
    this.#listedMs = performance.now();
    // Also if there are no runs.
    if (this.cards.set('listed', true)) this.wake();
  }
}
