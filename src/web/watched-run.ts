// One run that somebody looks at.
import type { FactOf, Stamped } from '../event.ts';
import type { RunFolder } from '../journal/folder.ts';
import type { Place } from '../start/locate.ts';
import { ActivityFollower } from './activity.ts';
import { makeParts } from './model/parts.ts';
import { PartStore } from './part-store.ts';
import { RunReader } from './run-reader.ts';

/** Making the parts takes time: the pause after it is this many times as long. */
const restShare = 10;

export class WatchedRun {
  readonly place: Place;
  readonly reader: RunReader;
  readonly parts = new PartStore();
  readonly activity: ActivityFollower;
  viewers = 0;
  lastAskedMs = 0;
  #restUntilMs = 0;
  #isStale = true;
  #live = false;

  constructor(place: Place, found: RunFolder, mask: (text: string) => string) {
    this.place = place;
    this.reader = new RunReader(found);
    this.activity = new ActivityFollower(found, { mask, rootOf: (started) => this.rootOf(started) });
  }

  /** Its lane's tree, else the run's own or the repository's. */
  rootOf({ lane }: Pick<Stamped<FactOf<'session-started'>>, 'lane'>): string {
    const { all, state } = this.reader.facts;
    const opened = all.findLast(
      (fact) => fact.type === 'lane' && fact.state === 'opened' && fact.lane === lane,
    );
    return opened?.type === 'lane' && opened.state === 'opened'
      ? opened.folder
      : (state?.worktree?.path ?? this.place.root);
  }

  look(live: boolean, nowMs: number): boolean {
    if (this.reader.look() || live !== this.#live) this.#isStale = true;
    this.#live = live;
    const { state } = this.reader.facts;
    const isNews = state ? this.activity.look(state) : false;
    return this.#remake(nowMs) || isNews;
  }

  #remake(nowMs: number): boolean {
    if (!this.#isStale || nowMs < this.#restUntilMs) return false;
    const from = performance.now();
    const news = this.parts.setAll(makeParts(this.reader.facts, { live: this.#live }));
    this.#isStale = false;
    this.#restUntilMs = nowMs + (performance.now() - from) * restShare;
    return news;
  }
}
