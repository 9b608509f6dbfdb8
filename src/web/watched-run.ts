// One run that somebody looks at: its journal as it grows, or anew if a start after a crash has cut it.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { foldFact, foldRun } from '../journal/fold.ts';
import { type RunFolder, statJournal } from '../journal/folder.ts';
import { findDamage } from '../journal/read-journal.ts';
import { parseFact } from '../journal/replay.ts';
import { journalFile } from '../journal/run-files.ts';
import type { RunState } from '../journal/state.ts';
import { Tail } from '../journal/tail.ts';
import { orElse } from '../or-else.ts';
import type { Place } from '../start/locate.ts';
import { ActivityFollower } from './activity.ts';
import { makeParts, type RunFacts } from './make-parts.ts';
import { PartStore } from './part-store.ts';
import type { LongText } from './view.ts';

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

export class RunReader {
  readonly found: RunFolder;
  #tail: Tail;
  #size = 0;
  #state: RunState | undefined;
  #all: Stamped<Fact>[] = [];
  /** Why the journal cannot be read any further. */
  damage: string | undefined;

  constructor(found: RunFolder) {
    this.found = found;
    this.#tail = this.#open();
  }

  get facts(): RunFacts {
    return { state: this.#state, all: this.#all };
  }

  look(): boolean {
    try {
      return this.#look();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      this.damage = message;
      return true;
    }
  }

  #look(): boolean {
    const size = statJournal(this.found.folder)?.size ?? 0;
    if (size === this.#size) return false;
    if (size < this.#size || !this.#read()) this.#readAnew();
    this.#size = size;
    return true;
  }

  #readAnew(): void {
    this.#tail = this.#open();
    this.#state = undefined;
    this.#all = [];
    this.damage = undefined;
    if (!this.#read()) this.damage = findDamage(this.found.folder)?.message ?? 'its journal cannot be read';
  }

  #read(): boolean {
    const news: Stamped<Fact>[] = [];
    for (let line = this.#tail.next(); line !== undefined; line = this.#tail.next()) {
      const fact = parseFact(line);
      if (!fact) return false;
      news.push(fact);
    }
    // All at once, fold.ts copies less.
    this.#state = this.#state ? news.reduce(foldFact, this.#state) : foldRun(news);
    this.#all = [...this.#all, ...news];
    return true;
  }

  #open(): Tail {
    return new Tail(path.join(this.found.folder, journalFile));
  }
}

const mostBytes = 512 * 1024;

/** Undefined for a name that is not in the journal: no path comes from the page. */
export function readCheckLog({ reader }: WatchedRun, name: string): LongText | undefined {
  const isKnown = reader.facts.all.some((fact) => fact.type === 'check-ended' && fact.log === name);
  const fd = isKnown
    ? orElse(() => openSync(path.join(reader.found.folder, name), 'r'), undefined)
    : undefined;
  if (fd === undefined) return undefined;
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.subarray(0, count).toString('utf8'), leftOut: size - bytes.length };
  } finally {
    closeSync(fd);
  }
}
