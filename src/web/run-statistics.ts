// Statistics over the newest runs. A run is counted again only if its journal has grown; other work gets its turn between
// two runs.
import { setImmediate as breathe } from 'node:timers/promises';
import { statJournal } from '../journal/folder.ts';
import { type RunStats, tallyRun, tallyTogether } from '../journal/run-stats.ts';
import type { ListedRun } from './listed-runs.ts';
import { RunReader } from './run-reader.ts';
import type { StatsView } from './view.ts';

/** How many of the newest runs are counted. */
const mostRuns = 60;

export class RunStatistics {
  readonly #counted = new Map<string, Readonly<{ size: number; stats: RunStats | undefined }>>();

  /** Statistics of these runs, newest first; one that cannot be read is skipped. */
  async of(runs: readonly ListedRun[]): Promise<StatsView> {
    const all: RunStats[] = [];
    for (const run of runs.slice(0, mostRuns)) {
      const stats = this.#count(run);
      if (stats) all.push(stats);
      await breathe();
    }
    return { runs: all, together: tallyTogether(all) };
  }

  #count({ id, found }: ListedRun): RunStats | undefined {
    const size = statJournal(found.folder)?.size ?? 0;
    const known = this.#counted.get(id);
    if (known?.size === size) return known.stats;
    const reader = new RunReader(found, false);
    reader.look();
    const { state } = reader.facts;
    const stats = state && reader.damage === undefined ? tallyRun(state) : undefined;
    this.#counted.set(id, { size, stats });
    return stats;
  }
}
