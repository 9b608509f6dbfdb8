// `pawl stats`: what runs cost in money, time and interventions.
import { Failure } from '../failure.ts';
import { listRuns, type RunFolder } from '../journal/folder.ts';
import { type CountedRun, tallyRun, tallyTogether } from '../journal/run-stats.ts';
import { formatStats, formatTogether } from '../report/stats/format-stats.ts';
import { formatRunsTable } from '../report/stats/runs-table.ts';
import type { Line } from '../report/text/line.ts';
import { formatEquivalent } from '../report/text/run-words.ts';
import { type CliContext, print, printLines, printNote } from '../start/context.ts';
import { findLiveRuns, findRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import type { Command } from './command.ts';

/** `json`: a `RunStats`, or a list of them; with `all` also their sum. */
export type StatsOptions = Readonly<{ all?: boolean; json?: boolean }>;

export const showStats: Command<StatsOptions> = async (context, words, options) => {
  const place = needPlace(context);
  const counted = options.all
    ? countAll(context, place, listAll(context, place, words))
    : wantedOf(context, place, words).map((run) => countRun(context, place, run));
  if (options.json) print(context, JSON.stringify(jsonOf(counted, options.all ?? false), null, 2));
  else printLines(context, linesOf(counted, options.all ?? false));
  return 0;
};

function jsonOf(counted: readonly CountedRun[], isAll: boolean): unknown {
  const all = counted.map(({ stats }) => stats);
  if (isAll) return { runs: all, together: tallyTogether(counted) };
  return all.length === 1 ? all[0] : all;
}

function linesOf(counted: readonly CountedRun[], isAll: boolean): readonly Line[] {
  const [only] = counted;
  if (isAll) return formatTogether(counted);
  if (only && counted.length === 1) return formatStats(only.stats, formatEquivalent(only.state));
  return formatRunsTable(counted);
}

function wantedOf(context: CliContext, place: Place, words: readonly string[]): readonly RunFolder[] {
  return (words.length === 0 ? [undefined] : words).map((word) => needRun(context, place, word));
}

/** A plan without any run throws Failure('usage'). */
function listAll(context: CliContext, place: Place, words: readonly string[]): readonly RunFolder[] {
  const all = listRuns(place.commonDir);
  if (words.length === 0) return all;
  for (const word of words) needRun(context, place, word);
  const meant = new Set(words.flatMap((word) => findRuns(context, place, word).map(({ run }) => run)));
  return all.filter(({ run }) => meant.has(run));
}

/** Among many, an unreadable one is named and skipped. */
function countAll(context: CliContext, place: Place, runs: readonly RunFolder[]): readonly CountedRun[] {
  return runs.flatMap((run) => {
    try {
      return [countRun(context, place, run)];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      printNote(context, `Note: ${run.run} is left out: ${error.message}`);
      return [];
    }
  });
}

/** What goes on in a live run lasts until now. */
function countRun(context: CliContext, place: Place, run: RunFolder): CountedRun {
  const state = readRun(run);
  const isLive = findLiveRuns(place).some(({ holder }) => holder.run === run.run);
  const stats = tallyRun(state, isLive ? context.now().toISOString() : undefined);
  return { stats, state };
}
