// `pawl clean`: removes what finished runs left, except those in use and those the day's budget still counts.

import path from 'node:path';
import { removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { dropRun } from '../git/rescue/rescue-list.ts';
import { pawlRef } from '../git/run/refs.ts';
import type { Repo } from '../git/run/repo.ts';
import { dayOf } from '../journal/day.ts';
import { listRunFolders, listRuns, type RunFolder } from '../journal/folder.ts';
import { spentSince } from '../journal/ledger.ts';
import { isFinished } from '../journal/state.ts';
import { findNewer } from '../phase/open/find-unfinished.ts';
import { formatBytes, formatCount } from '../report/text/figure.ts';
import { print } from '../start/context.ts';
import { findRunHolder, needPlace, readRun } from '../start/find-run.ts';
import { cleanGrounds } from '../start/ground/clean.ts';
import { sizeOf } from '../start/ground/list.ts';
import type { Place } from '../start/locate.ts';
import { openPlace } from '../start/open-place.ts';
import { cleanRemote } from './clean-remote.ts';
import type { Command } from './command.ts';

/** `days`: minimum age of a finished run; default 30. */
export type CleanOptions = Readonly<{ dryRun?: boolean; days?: number; remote?: boolean }>;

const dayMs = 24 * 60 * 60 * 1000;

type Old = Readonly<{ run: string; folder: string | undefined; endedAt: number; refs: number }>;

type KeepReason = 'live' | 'unfinished' | 'unreadable' | 'young' | 'counted';

export const cleanRuns: Command<CleanOptions> = async (context, _args, options) => {
  const { dryRun, days = keptDays } = options;
  if (options.remote) return cleanRemote(context, { ...options, days });
  const place = needPlace(context);
  const { repo } = await openPlace(context, place);
  // What is saved from grounds now, by git's clock of seconds, is not old.
  const before = Math.floor(context.now().getTime() / 1000) * 1000 - days * dayMs;
  // Before the journals, which tell whose they are.
  const hadGrounds = await cleanGrounds(context, repo, dryRun ?? false);
  const today = dayOf(context.now()).sinceMs;
  const refs = readOwnRefs(await repo.git(listOwnRefs));
  const runs = listRuns(place.commonDir);
  const judged = runs.map((run) => {
    const isReplaced = findNewer(runs, run) !== undefined;
    const { newest = 0 } = refs.get(nameInRefs(run.run)) ?? {};
    return { run, why: judge(place, run, { before, today, isReplaced, newest }) };
  });
  const old: readonly Old[] = [
    ...judged.flatMap(({ run, why }) => (typeof why === 'number' ? [oldOf(run, why, refs)] : [])),
    ...findOrphans(place, refs, before).map((orphan) => ({ ...orphan, folder: undefined })),
  ];
  for (const each of old) {
    const size = each.folder === undefined ? 0 : sizeOf(each.folder);
    const age = Math.floor((context.now().getTime() - each.endedAt) / dayMs);
    if (!dryRun) await remove(repo, each);
    print(
      context,
      `${dryRun ? 'would remove' : 'removed'}  ${each.run}  (${formatBytes(size)}, ${formatCount(each.refs, 'ref')}, ended ${formatCount(age, 'day')} ago)`,
    );
  }
  if (old.length === 0 && !hadGrounds)
    print(
      context,
      `Nothing to remove: no run ${days === 0 ? 'has finished' : `was finished more than ${formatCount(days, 'day')} ago`}.`,
    );
  const kept = formatKept(
    judged.flatMap(({ why }) => (typeof why === 'number' ? [] : [why])),
    days,
  );
  if (kept !== '') print(context, `Kept: ${kept}.`);
  if (old.length > 0 && !dryRun) print(context, 'The next `git gc` frees the space in git.');
  return 0;
};

type Age = Readonly<{
  before: number;
  today: number;
  isReplaced: boolean;
  /** Its newest ref, such as what its ground held when that was removed. */
  newest: number;
}>;

/** When a removable run ended, epoch milliseconds; else why it stays. */
function judge(
  place: Place,
  run: RunFolder,
  { before, today, isReplaced, newest }: Age,
): number | KeepReason {
  if (findRunHolder(place, run.run)) return 'live';
  try {
    const state = readRun(run);
    if (!isFinished(state) && !isReplaced) return 'unfinished';
    const at = Date.parse(state.ended?.at ?? state.lastAt);
    if (at >= before || (Number.isFinite(newest) && newest >= before)) return 'young';
    const { costUsd, atLeast } = spentSince(state, today);
    return costUsd > 0 || atLeast ? 'counted' : at;
  } catch (error) {
    if (error instanceof Failure) return 'unreadable';
    throw error;
  }
}

function oldOf({ run, folder }: RunFolder, endedAt: number, refs: OwnRefs): Old {
  return { run, folder, endedAt, refs: refs.get(nameInRefs(run))?.count ?? 0 };
}

/** Refs first: a folder without refs is found again, refs without a folder only by age. */
async function remove(repo: Repo, { run, folder }: Old): Promise<void> {
  await dropRun(repo, run);
  if (folder !== undefined) removeOwnFolder(folder);
}

function formatKept(kept: readonly KeepReason[], days: number): string {
  const words = {
    live: 'at work',
    unfinished: 'not finished',
    unreadable: 'with a journal that cannot be read',
    counted: 'that the budget of the day (budgets.day) still counts',
    young: `finished or given up in the last ${formatCount(days, 'day')}`,
  } as const;
  return (Object.keys(words) as KeepReason[])
    .map((why) => ({ why, count: kept.filter((each) => each === why).length }))
    .filter(({ count }) => count > 0)
    .map(({ why, count }) => `${formatCount(count, 'run')} ${words[why]}`)
    .join(', ');
}

const keptDays = 30;

const listOwnRefs = ['for-each-ref', '--format=%(refname) %(committerdate:unix)', 'refs/pawl/'];

/** By run; `newest`: epoch milliseconds. */
type OwnRefs = ReadonlyMap<string, Readonly<{ count: number; newest: number }>>;

/** Refs of a run whose folder was removed. */
type Orphan = Readonly<{ run: string; endedAt: number; refs: number }>;

function readOwnRefs(listed: string): OwnRefs {
  const runs = new Map<string, { count: number; newest: number }>();
  for (const line of listed.split('\n')) {
    const [ref = '', seconds = ''] = line.split(' ');
    const name = ref.split('/')[2];
    if (name === undefined) continue;
    const { count, newest } = runs.get(name) ?? { count: 0, newest: 0 };
    // An object that is not a commit has no date.
    runs.set(name, { count: count + 1, newest: Math.max(newest, Number(seconds) * 1000) });
  }
  // Without any date they count as new.
  return new Map(
    [...runs].map(([name, { count, newest }]) => [
      name,
      { count, newest: newest || Number.POSITIVE_INFINITY },
    ]),
  );
}

/**
 * Those whose newest ref is older than `before`, epoch milliseconds. A folder counts whatever its journal
 * says: it may be repaired.
 */
function findOrphans({ commonDir }: Place, refs: OwnRefs, before: number): readonly Orphan[] {
  const known = new Set(listRunFolders(commonDir).map((folder) => nameInRefs(path.basename(folder))));
  return [...refs].flatMap(([run, { count, newest }]) =>
    known.has(run) || newest >= before ? [] : [{ run, endedAt: newest, refs: count }],
  );
}

function nameInRefs(run: string): string {
  return pawlRef(run, '').split('/')[2] ?? '';
}
