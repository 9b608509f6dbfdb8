// `pawl status`: where the last run stands. Changes nothing.
import { existsSync } from 'node:fs';
import { readHead } from '../git/protect/snapshot.ts';
import type { RunFolder } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { readIfSound } from '../journal/read-journal.ts';
import type { RunState } from '../journal/state.ts';
import { formatStanding, formatStandingShort, formatStandings } from '../report/status/format-standing.ts';
import { labelled } from '../report/text/line.ts';
import type { RunView } from '../report/view/run-view.ts';
import { viewRun } from '../report/view/view-run.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findLastWorked, findLiveRuns, findRuns, needPlace, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import type { Command } from './command.ts';
import { readStatusLine } from './read-status-line.ts';

/** `all`: newest first. `json`: one `RunView`, or a list; `null` without a run. */
export type StatusOptions = Readonly<{
  json?: boolean;
  all?: boolean;
  line?: boolean;
  remote?: boolean;
}>;

export const showStatus: Command<StatusOptions> = async (context, [plan], { json, all, line, remote }) => {
  if (line) {
    const text = readStatusLine(context.cwd, context.now(), plan);
    if (text !== '') print(context, text);
    return 0;
  }
  if (remote) {
    const { showRemoteStatus } = await import('./status-remote.ts');
    return showRemoteStatus(context, plan, { json, all });
  }
  const place = needPlace(context);
  const runs = findRuns(context, place, plan);
  const live = findLiveRuns(place).map(({ holder }) => holder);
  const one = findLastWorked(place, runs);
  const standings = all
    ? readRuns(runs).map((each) => judge(place, each, live))
    : one
      ? [judge(place, { found: one, state: readRun(one) }, live)]
      : [];
  if (json) {
    print(context, JSON.stringify(all ? standings : (standings[0] ?? null), null, 2));
    return 0;
  }
  printStandings(context, { standings, isList: all ?? false, plan });
  if (!all && one) printOthers(context, place, { one, live });
  return 0;
};

type StatusList = Readonly<{
  standings: readonly RunView[];
  isList: boolean;
  plan: string | undefined;
}>;

function printStandings(context: CliContext, { standings, isList, plan }: StatusList): void {
  const nowMs = context.now().getTime();
  const [shown] = standings;
  if (isList) printLines(context, formatStandings(standings, nowMs));
  else if (shown) printLines(context, formatStanding(shown, nowMs));
  if (shown) return;
  const where = plan === undefined ? 'in this repository' : `of ${plan} here`;
  print(context, `There is no run ${where} yet.`);
}

function printOthers(
  context: CliContext,
  place: Place,
  { one, live }: Readonly<{ one: RunFolder; live: readonly Holder[] }>,
): void {
  const nowMs = context.now().getTime();
  const others = readRuns(findRuns(context, place)).filter(
    ({ found }) => found.run !== one.run && live.some(({ run }) => run === found.run),
  );
  for (const [at, each] of others.entries()) {
    const { text, ...rest } = formatStandingShort(judge(place, each, live), nowMs);
    printLines(context, [labelled(rest.tone, at === 0 ? 'also' : '', text)]);
  }
}

type ReadableRun = Readonly<{ found: RunFolder; state: RunState }>;

/** Among many, an unreadable one is skipped. */
function readRuns(runs: readonly RunFolder[]): readonly ReadableRun[] {
  return runs.flatMap((found) => {
    const state = readIfSound(found.folder);
    return state ? [{ found, state }] : [];
  });
}

type RunInFolder = RunView & Readonly<{ folder: string }>;

function judge(place: Place, { found, state }: ReadableRun, live: readonly Holder[]): RunInFolder {
  const holder = live.find(({ run }) => run === found.run);
  const { branch: checkedOut } = readHead(place);
  const { worktree, ...view } = viewRun(state, { holder, checkedOut });
  // A finished run's own tree is removed.
  const isThere = worktree !== undefined && existsSync(worktree);
  return { ...view, ...(isThere ? { worktree } : {}), folder: found.folder };
}
