// `pawl status`: where the newest run stands, from its journal and the lock. It changes nothing and may be asked any time.

import type { RunFolder } from '../journal/folder.ts';
import { spentBy } from '../journal/ledger.ts';
import { judgeStanding, type Standing } from '../report/standing.ts';
import { paintLine } from '../report/terminal.ts';
import { wordStanding, wordStandingShort } from '../report/wording-standing.ts';
import type { Command } from './command.ts';
import { print } from './context.ts';
import { findRunHolder, findRuns, needPlace, readRun } from './find-run.ts';
import type { Place } from './place.ts';

/** `all`: every run that is kept, newest first. `json`: one `Standing`, or a list of them; `null` where there is no run. */
export type StatusOptions = Readonly<{ json?: boolean; all?: boolean }>;

/** Shows where a run stands. */
export const showStatus: Command<StatusOptions> = async (context, [plan], { json, all }) => {
  const place = needPlace(context);
  const runs = findRuns(context, place, { plan });
  const standings = (all ? runs : runs.slice(0, 1)).flatMap((run) => standingOf(place, run, all ?? false));
  if (json) {
    print(context, JSON.stringify(all ? standings : (standings[0] ?? null), null, 2));
    return 0;
  }
  const options = { nowMs: context.now().getTime() };
  const [newest] = standings;
  if (!newest) {
    print(
      context,
      plan === undefined ? 'There is no run in this repository yet.' : `There is no run of ${plan} here yet.`,
    );
    return 0;
  }
  const lines = all
    ? standings.map((each) => wordStandingShort(each, options))
    : wordStanding(newest, options);
  for (const line of lines) context.stdout.write(paintLine(line, context.colour));
  return 0;
};

/** One run's standing; with many to list, one whose journal cannot be read is passed over. */
function standingOf(place: Place, run: RunFolder, isOneOfMany: boolean): readonly Standing[] {
  try {
    const state = readRun(run);
    return [
      judgeStanding(state, {
        folder: run.folder,
        holder: findRunHolder(place, run.run),
        spent: spentBy(state),
      }),
    ];
  } catch (error) {
    if (isOneOfMany) return [];
    throw error;
  }
}
