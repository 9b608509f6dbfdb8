// The cards of all runs, read again only if a journal has grown or its holder has changed; the newest first.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { digestText } from '../digest.ts';
import { listRuns, type RunFolder, statJournal } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { JournalReader } from '../journal/read-journal.ts';
import { runsFolder } from '../journal/run-files.ts';
import { orElse } from '../or-else.ts';
import { viewRun } from '../report/view/view-run.ts';
import { findLiveRuns } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import type { PartStore } from './part-store.ts';
import type { Card, RepositoryView } from './view.ts';

export type ListedRun = Readonly<{
  id: string;
  place: Place;
  repository: RepositoryView;
  found: RunFolder;
  holder: Holder | undefined;
  isNewest: boolean;
}>;

type KnownRun = { reader: JournalReader | undefined; size: number; look: string };

export function idOfRun(commonDir: string, run: string): string {
  const key = digestText(commonDir, 8);
  return `${key}.${run}`;
}

export class ListedRuns {
  readonly #cards: PartStore;
  readonly #folders = new Map<string, Readonly<{ names: string; runs: readonly RunFolder[] }>>();
  readonly #known = new Map<string, KnownRun>();
  #runs: readonly ListedRun[] = [];

  constructor(cards: PartStore) {
    this.#cards = cards;
  }

  find(id: string): ListedRun | undefined {
    return this.#runs.find((run) => run.id === id);
  }

  get all(): readonly ListedRun[] {
    return this.#runs;
  }

  list(places: readonly Place[]): void {
    const all = places.flatMap((place) => this.#tryToList(place));
    this.#runs = all.sort((a, b) => (a.found.run < b.found.run ? 1 : -1));
    const ids = new Set(this.#runs.map(({ id }) => id));
    for (const id of this.#known.keys())
      if (!ids.has(id)) {
        this.#known.delete(id);
        this.#cards.set(`card/${id}`, null);
      }
  }

  /** One at a time: in between, others get their turn. */
  *readCards(): Generator<boolean> {
    for (const run of this.#runs) {
      const size = statJournal(run.found.folder)?.size ?? 0;
      const look = `${run.holder?.pid} ${run.holder?.since} ${run.isNewest}`;
      const known = this.#known.get(run.id);
      if (known && known.size === size && known.look === look) continue;
      yield this.#readCard(run, { size, look, reader: known?.reader });
    }
  }

  #readCard(run: ListedRun, known: KnownRun): boolean {
    const reader = known.reader ?? new JournalReader(run.found.folder);
    reader.look();
    const { state } = reader;
    // At rest its card is enough.
    this.#known.set(run.id, { ...known, reader: run.holder ? reader : undefined });
    const { id, repository, isNewest, holder } = run;
    if (!state) {
      const damage = reader.damage?.message ?? 'its journal is empty';
      return this.#cards.set(`card/${id}`, { id, repository, run: run.found.run, damage });
    }
    const view = viewRun(state, { holder });
    // One that a newer run of its plan replaces asks for nothing.
    const card: Card = { ...view, id, repository, isNewest, needs: isNewest ? view.needs : [] };
    return this.#cards.set(`card/${id}`, card);
  }

  /** One's problem does not affect the others. */
  #tryToList(place: Place): readonly ListedRun[] {
    try {
      return this.#listIn(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return [];
    }
  }

  #listIn(place: Place): readonly ListedRun[] {
    const { commonDir, root } = place;
    const runs = this.#foldersIn(commonDir);
    const holders = new Map(findLiveRuns(place).map(({ holder }) => [holder.run, holder]));
    const repository = { name: nameRepository(commonDir), root };
    const plans = new Set<string>();
    return runs.map((found) => {
      const isNewest = !plans.has(found.started.plan);
      plans.add(found.started.plan);
      return {
        id: idOfRun(commonDir, found.run),
        place,
        repository,
        found,
        holder: holders.get(found.run),
        isNewest,
      };
    });
  }

  /** A journal's first line never changes: read again only for a new folder. */
  #foldersIn(commonDir: string): readonly RunFolder[] {
    const names = orElse(() => readdirSync(runsFolder(commonDir)).sort().join('/'), '');
    const known = this.#folders.get(commonDir);
    if (known?.names === names) return known.runs;
    const runs = listRuns(commonDir);
    // One just made has no line yet.
    const isWhole = runs.length === names.split('/').filter((name) => name !== '').length;
    this.#folders.set(commonDir, { names: isWhole ? names : '', runs });
    return runs;
  }
}

/** The folder that holds `.git`; a bare repository has its own name. */
function nameRepository(commonDir: string): string {
  const name = path.basename(commonDir);
  return name === '.git' ? path.basename(path.dirname(commonDir)) : name.replace(/^\.|\.git$/g, '');
}
