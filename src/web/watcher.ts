// The runs of all repositories, newest first, with a card of each, read again only if its journal has grown or its holder
// has changed; and those that somebody looks at. Only reads files: no run waits for it.
import path from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { digestText } from '../digest.ts';
import { listRuns, type RunFolder, statJournal } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { JournalReader } from '../journal/read-journal.ts';
import { viewRun } from '../report/view/view-run.ts';
import { findLiveRuns } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { Parts } from './parts.ts';
import type { Card, Damaged, RepositoryView } from './view.ts';
import { WatchedRun } from './watched-run.ts';

/** Between two readings of the list, milliseconds. */
const listMs = 1_000;
/** After this long without a look a run is released, milliseconds. */
const keepMs = 60_000;

export type ListedRun = Readonly<{
  id: string;
  place: Place;
  repository: RepositoryView;
  found: RunFolder;
  holder: Holder | undefined;
  isNewest: boolean;
}>;

/** `reader`: of one at work. */
type KnownRun = Readonly<{ reader: JournalReader | undefined; look: string }>;

export function idOfRun(commonDir: string, run: string): string {
  return `${digestText(commonDir, 8)}.${run}`;
}

export class Watcher {
  /** By `card/` and the run's id. */
  readonly cards = new Parts();
  /** Applied to all that is shown. */
  readonly mask: (text: string) => string;
  readonly #listPlaces: () => readonly Place[];
  readonly #known = new Map<string, KnownRun>();
  readonly #watched = new Map<string, WatchedRun>();
  #listedMs = Number.NEGATIVE_INFINITY;
  #listing: Promise<void> | undefined;
  runs: readonly ListedRun[] = [];
  askedMs = performance.now();

  /** `listPlaces`: asked at each look. */
  constructor({ mask, listPlaces }: Readonly<{ mask: Watcher['mask']; listPlaces: () => readonly Place[] }>) {
    this.mask = mask;
    this.#listPlaces = listPlaces;
  }

  find(id: string): ListedRun | undefined {
    return this.runs.find((run) => run.id === id);
  }

  /** The run as it is now; undefined if there is none. */
  watch(id: string): WatchedRun | undefined {
    const nowMs = performance.now();
    this.askedMs = nowMs;
    if (nowMs - this.#listedMs >= listMs) void this.refresh();
    for (const [other, { lookedMs }] of this.#watched)
      if (nowMs - lookedMs > keepMs) this.#watched.delete(other);
    const listed = this.find(id);
    if (!listed) return undefined;
    const run = this.#watched.get(id) ?? new WatchedRun(listed.place, listed.found, this.mask);
    this.#watched.set(id, run);
    run.look(listed.holder !== undefined, nowMs);
    return run;
  }

  refresh(): Promise<void> {
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #list(): Promise<void> {
    const all = this.#listPlaces().flatMap(tryToList);
    this.runs = all.sort((a, b) => (a.found.run < b.found.run ? 1 : -1));
    for (const run of this.runs) {
      this.#readCard(run);
      await breathe();
    }
    const ids = new Set(this.runs.map(({ id }) => id));
    for (const id of this.#known.keys())
      if (!ids.has(id)) {
        this.#known.delete(id);
        this.cards.set(`card/${id}`);
      }
    this.#listedMs = performance.now();
  }

  #readCard({ id, found, repository, isNewest, holder }: ListedRun): void {
    const known = this.#known.get(id);
    const look = `${statJournal(found.folder)?.size} ${holder?.pid} ${holder?.since} ${isNewest}`;
    if (known?.look === look) return;
    const reader = known?.reader ?? new JournalReader(found.folder);
    reader.look();
    this.#known.set(id, { look, reader: holder ? reader : undefined });
    const { state, damage } = reader;
    const view = state && viewRun(state, { holder });
    // One that a newer run of its plan replaces asks for nothing.
    const card: Card | Damaged = view
      ? { ...view, id, repository, isNewest, needs: isNewest ? view.needs : [] }
      : { id, repository, run: found.run, damage: damage?.message ?? 'its journal is empty' };
    this.cards.set(`card/${id}`, card);
  }
}

/** One's problem does not affect the others. */
function tryToList(place: Place): readonly ListedRun[] {
  try {
    return listIn(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

function listIn(place: Place): readonly ListedRun[] {
  const { commonDir, root } = place;
  const holders = new Map(findLiveRuns(place).map(({ holder }) => [holder.run, holder]));
  const repository = { name: nameRepository(commonDir), root };
  const plans = new Set<string>();
  return listRuns(commonDir).map((found) => {
    const { run, started } = found;
    const isNewest = !plans.has(started.plan);
    plans.add(started.plan);
    return { id: idOfRun(commonDir, run), place, repository, found, holder: holders.get(run), isNewest };
  });
}

/** The folder that holds `.git`; a bare repository has its own name. */
function nameRepository(commonDir: string): string {
  const name = path.basename(commonDir);
  return name === '.git' ? path.basename(path.dirname(commonDir)) : name.replace(/^\.|\.git$/g, '');
}
