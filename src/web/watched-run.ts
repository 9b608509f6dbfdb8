// One run that somebody looks at: its journal as it grows, or anew if a start after a crash has cut it.
import type { RunFolder } from '../journal/folder.ts';
import { JournalReader } from '../journal/read-journal.ts';
import type { Place } from '../start/locate.ts';
import { ActivityFollower } from './activity.ts';
import { makeParts } from './make-parts.ts';
import { Parts } from './parts.ts';

/** Making the parts takes time: the pause after it is this many times as long. */
const restShare = 10;

/** Between two looks, milliseconds. */
const leastMs = 100;

export class WatchedRun {
  readonly place: Place;
  readonly found: RunFolder;
  readonly journal: JournalReader;
  readonly parts = new Parts();
  readonly activity: ActivityFollower;
  lookedMs = Number.NEGATIVE_INFINITY;
  #restUntilMs = 0;
  #isStale = true;
  #live = false;

  constructor(place: Place, found: RunFolder, mask: (text: string) => string) {
    this.place = place;
    this.found = found;
    this.journal = new JournalReader(found.folder, { keepsFacts: true });
    this.activity = new ActivityFollower(found, mask);
  }

  look(live: boolean, nowMs: number): void {
    // Several tabs look once.
    if (nowMs - this.lookedMs < leastMs) return;
    this.lookedMs = nowMs;
    if (this.journal.look() || live !== this.#live) this.#isStale = true;
    this.#live = live;
    if (this.journal.state) this.activity.look(this.journal.state);
    if (!this.#isStale || nowMs < this.#restUntilMs) return;
    const from = performance.now();
    this.parts.setAll(makeParts(this.journal, { live }));
    this.#isStale = false;
    this.#restUntilMs = nowMs + (performance.now() - from) * restShare;
  }
}
