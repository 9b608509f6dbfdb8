// `pawl stats`: what runs cost in money, time and interventions.
import type { RunFolder } from '../journal/folder.ts';
import { type CountedRun, tallyRun } from '../journal/run-stats.ts';
import { formatRunsTable, formatStats } from '../report/stats/format-stats.ts';
import { formatEquivalent } from '../report/text/run-words.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findLiveRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import type { Command } from './command.ts';

/** `json`: a `RunStats`, or a list of them. */
export const showStats: Command<Readonly<{ json?: boolean }>> = async (context, words, { json }) => {
  const place = needPlace(context);
  const wanted = words.length === 0 ? [undefined] : words;
  const counted = wanted.map((word) => countRun(context, place, needRun(context, place, word)));
  const [first] = counted;
  const only = counted.length === 1 ? first : undefined;
  const all = counted.map(({ stats }) => stats);
  if (json) print(context, JSON.stringify(only?.stats ?? all, null, 2));
  else
    printLines(
      context,
      only ? formatStats(only.stats, formatEquivalent(only.state)) : formatRunsTable(counted),
    );
  return 0;
};

/** What goes on in a live run lasts until now. */
function countRun(context: CliContext, place: Place, run: RunFolder): CountedRun {
  const state = readRun(run);
  const isLive = findLiveRuns(place).some(({ holder }) => holder.run === run.run);
  const stats = tallyRun(state, isLive ? context.now().toISOString() : undefined);
  return { stats, state };
}
