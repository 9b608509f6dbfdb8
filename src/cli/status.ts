// `pawl status`: where the last run stands. Changes nothing.
import { existsSync } from 'node:fs';
import { readHead } from '../git/protect/snapshot.ts';
import { listRunFolders, listRuns, type RunFolder } from '../journal/folder.ts';
import { readIfSound } from '../journal/read-journal.ts';
import type { RunState } from '../journal/state.ts';
import { formatStanding, formatStandingShort, formatStandings } from '../report/status/format-standing.ts';
import { formatCount } from '../report/text/figure.ts';
import { labelled } from '../report/text/line.ts';
import type { RunView } from '../report/view/run-view.ts';
import { viewRun } from '../report/view/view-run.ts';
import type { SeeOptions } from '../start/command-options.ts';
import { type CliContext, print, printJson, printLines, printNote } from '../start/context.ts';
import { findLastWorked, findLiveRuns, findRuns, needPlace, readRun } from '../start/find-run.ts';
import { noRun } from '../start/resolve-word.ts';
import type { Command } from './command.ts';

/**
 * But for `--line`, which main.ts answers by itself. `all`: newest first. `json`: one `RunView`, or a list; `null` without
 * a run.
 */
export const showStatus: Command<SeeOptions['status']> = async (
  context,
  [word],
  { json, all = false, remote },
) => {
  if (remote) {
    const { showRemoteStatus } = await import('./status-remote.ts');
    return showRemoteStatus(context, word, { json, all });
  }
  const place = needPlace(context);
  const { branch: checkedOut } = readHead(place);
  const live = findLiveRuns(place).map(({ holder }) => holder);
  const view = ({ run, folder }: RunFolder, state: RunState): RunView & Readonly<{ folder: string }> => {
    const holder = live.find((each) => each.run === run);
    const { worktree, ...rest } = viewRun(state, { holder, checkedOut });
    // A finished run's own tree is removed.
    const isThere = worktree !== undefined && existsSync(worktree);
    return { ...rest, ...(isThere ? { worktree } : {}), folder };
  };
  // Among many, an unreadable one is only counted.
  const viewSound = (run: RunFolder) => {
    const state = readIfSound(run.folder);
    return state ? [view(run, state)] : [];
  };
  const runs = findRuns(context, place, word);
  const one = findLastWorked(place, runs);
  const views = all ? runs.flatMap(viewSound) : one ? [view(one, readRun(one))] : [];
  const left = all && word === undefined ? listRunFolders(place.commonDir).length - views.length : 0;
  if (left > 0) printNote(context, `Left out: ${formatCount(left, 'run')} without a readable journal.`);
  if (json) return printJson(context, all ? views : (views[0] ?? null));
  const others = listRuns(place.commonDir).filter(
    ({ run }) => run !== one?.run && live.some((holder) => holder.run === run),
  );
  printViews(context, views, { all, word, others: all || !one ? [] : others.flatMap(viewSound) });
  return 0;
};

/** `others`: more that somebody works on. */
function printViews(
  context: CliContext,
  views: readonly RunView[],
  { all, word, others }: Readonly<{ all: boolean; word: string | undefined; others: readonly RunView[] }>,
): void {
  const nowMs = context.now().getTime();
  const [shown] = views;
  if (!shown) print(context, `There is ${noRun(word)}.`);
  else printLines(context, all ? formatStandings(views, nowMs) : formatStanding(shown, nowMs));
  for (const [at, each] of others.entries()) {
    const { text, tone } = formatStandingShort(each, nowMs);
    printLines(context, [labelled(tone, at === 0 ? 'also' : '', text)]);
  }
}
