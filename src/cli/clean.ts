// `pawl clean`: removes what finished runs left, except those in use and those the day's budget still counts.
import path from 'node:path';
import { removeOwnFolder } from '../disk.ts';
import { dropRun } from '../git/rescue/rescue-list.ts';
import { pawlRef } from '../git/run/refs.ts';
import { dayOf } from '../journal/day.ts';
import { listRunFolders, listRuns, type RunFolder } from '../journal/folder.ts';
import { spentSince } from '../journal/ledger.ts';
import { readIfSound } from '../journal/read-journal.ts';
import { isFinished } from '../journal/state.ts';
import { findNewer } from '../phase/open/find-unfinished.ts';
import { formatBytes, formatCount } from '../report/text/figure.ts';
import { print } from '../start/context.ts';
import { findRunHolder, needPlace } from '../start/find-run.ts';
import { sizeOf } from '../start/ground/list.ts';
import { cleanGrounds } from '../start/ground/remove.ts';
import type { Place } from '../start/locate.ts';
import { openPlace } from '../start/open-place.ts';
import type { Command } from './command.ts';

/** `days`: minimum age of a finished run; default 30. */
export type CleanOptions = Readonly<{ dryRun?: boolean; days?: number }>;

const dayMs = 24 * 60 * 60 * 1000;

/** `endedAt`: epoch milliseconds. */
type OldRun = Readonly<{ run: string; folder?: string; endedAt: number; refs: number }>;

export const cleanRuns: Command<CleanOptions> = async (context, _args, options) => {
  const { dryRun = false, days = 30 } = options;
  const place = needPlace(context);
  const { repo } = await openPlace(context, place);
  // What is saved from grounds now, by git's clock of seconds, is not old.
  const before = Math.floor(context.now().getTime() / 1000) * 1000 - days * dayMs;
  // Before the journals, which tell whose they are.
  const hadGrounds = await cleanGrounds(context, repo, dryRun);
  const refs = readOwnRefs(await repo.git(listOwnRefs));
  const runs = listRuns(place.commonDir);
  const old: OldRun[] = [];
  const kept: string[] = [];
  for (const run of runs) {
    const { count = 0, newest = 0 } = refs.get(nameInRefs(run.run)) ?? {};
    const isReplaced = findNewer(runs, run) !== undefined;
    const judged = judge(place, run, { before, days, isReplaced, newest, now: context.now() });
    if (typeof judged === 'string') kept.push(judged);
    else old.push({ run: run.run, folder: run.folder, endedAt: judged, refs: count });
  }
  old.push(...findOrphans(place, refs, before));
  for (const { run, folder, endedAt, refs: count } of old) {
    const size = formatBytes(folder === undefined ? 0 : sizeOf(folder));
    const age = formatCount(Math.floor((context.now().getTime() - endedAt) / dayMs), 'day');
    // Refs first: a folder without refs is found again, refs without a folder only by age.
    if (!dryRun) await dropRun(repo, run);
    if (!dryRun && folder !== undefined) removeOwnFolder(folder);
    const done = dryRun ? 'would remove' : 'removed';
    print(context, `${done}  ${run}  (${size}, ${formatCount(count, 'ref')}, ended ${age} ago)`);
  }
  if (old.length === 0 && !hadGrounds) print(context, 'Nothing to remove.');
  const reasons = [...Map.groupBy(kept.toSorted(), (why) => why)].map(
    ([why, all]) => `${formatCount(all.length, 'run')} ${why}`,
  );
  if (reasons.length > 0) print(context, `Kept: ${reasons.join(', ')}.`);
  if (old.length > 0 && !dryRun) print(context, 'The next `git gc` frees the space in git.');
  return 0;
};

type Age = Readonly<{
  before: number;
  days: number;
  now: Date;
  isReplaced: boolean;
  /** Its newest ref, such as what its ground held when that was removed. */
  newest: number;
}>;

/** When a removable run ended; else why it stays. */
function judge(
  place: Place,
  run: RunFolder,
  { before, days, now, isReplaced, newest }: Age,
): number | string {
  if (findRunHolder(place, run.run)) return 'at work';
  const state = readIfSound(run.folder);
  if (!state) return 'with a journal that cannot be read';
  if (!isFinished(state) && !isReplaced) return 'not finished';
  const at = Date.parse(state.course.ended?.at ?? state.lastAt);
  if (at >= before || (Number.isFinite(newest) && newest >= before))
    return `finished or given up in the last ${formatCount(days, 'day')}`;
  const { costUsd, atLeast } = spentSince(state, dayOf(now).sinceMs);
  return costUsd > 0 || atLeast ? 'that the budget of the day (budgets.day) still counts' : at;
}

const listOwnRefs = ['for-each-ref', '--format=%(refname) %(committerdate:unix)', 'refs/pawl/'];

/** By run; `newest`: epoch milliseconds. */
type OwnRefs = ReadonlyMap<string, Readonly<{ count: number; newest: number }>>;

function readOwnRefs(listed: string): OwnRefs {
  const lines = listed.split('\n').filter((line) => line !== '');
  const runs = Map.groupBy(lines, (line) => line.split('/')[2] ?? '');
  // An object that is not a commit has no date. Without any, they count as new.
  const newestOf = (own: readonly string[]) =>
    Math.max(...own.map((line) => Number(line.split(' ')[1]) * 1000)) || Number.POSITIVE_INFINITY;
  return new Map([...runs].map(([name, own]) => [name, { count: own.length, newest: newestOf(own) }]));
}

/**
 * Those whose newest ref is older than `before`, epoch milliseconds. A folder counts whatever its journal
 * says: it may be repaired.
 */
function findOrphans({ commonDir }: Place, refs: OwnRefs, before: number): readonly OldRun[] {
  const known = new Set(listRunFolders(commonDir).map((folder) => nameInRefs(path.basename(folder))));
  return [...refs].flatMap(([run, { count, newest }]) =>
    known.has(run) || newest >= before ? [] : [{ run, endedAt: newest, refs: count }],
  );
}

function nameInRefs(run: string): string {
  return pawlRef(run, '').split('/')[2] ?? '';
}
