// Reads a run's journal as it grows, or from the beginning if a start after a crash has cut it.
import path from 'node:path';
import type { Fact, Stamped } from '../event.ts';
import { foldFact, foldRun } from '../journal/fold.ts';
import { type RunFolder, statJournal } from '../journal/folder.ts';
import { findDamage } from '../journal/read-journal.ts';
import { parseFact } from '../journal/replay.ts';
import { journalFile } from '../journal/run-files.ts';
import type { RunState } from '../journal/state.ts';
import { Tail } from '../journal/tail.ts';

/** The state is undefined before its start. */
export type RunFacts = Readonly<{ state: RunState | undefined; all: readonly Stamped<Fact>[] }>;

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
