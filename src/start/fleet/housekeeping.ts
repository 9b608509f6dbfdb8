// What a worker removes: clones whose work is on their remote, mirrors unused for a month, old rows of the database.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { asFailure } from '../../failure.ts';
import type { Queue } from '../../fleet/queue.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readRun } from '../../phase/carry/owner.ts';
import { type CliContext, printNote } from '../context.ts';
import { findLiveRuns } from '../find-run.ts';
import { openPlainRepo } from '../open-place.ts';
import { readRunIn, remove } from './lives.ts';

const dayMs = 24 * 3_600_000;

/**
 * What it needs. `isOpen`: whether the worker has work in a folder of `jobs`; `clockMs`: the time limit for each question
 * to a remote.
 */
export type HousekeepingDeps = Readonly<{
  queue: Pick<Queue, 'removeOld'>;
  mirrors: string;
  jobs: string;
  clockMs: number;
  isOpen: (job: string) => boolean;
}>;

/** Does it now and every day. Disposing waits for what is under way. */
export function keepHouseDaily(context: CliContext, deps: HousekeepingDeps): AsyncDisposable {
  let kept: Promise<void> = Promise.resolve();
  const keep = () => {
    kept = keepHouse(context, deps).catch((error: Error) => printNote(context, `${error.stack}`));
  };
  keep();
  const daily = setInterval(keep, dayMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(daily);
      await kept;
    },
  };
}

/** Does all of it; what cannot be done now is done another day. */
export async function keepHouse(context: CliContext, deps: HousekeepingDeps): Promise<void> {
  const { queue, mirrors, jobs, clockMs, isOpen } = deps;
  const now = context.now().getTime();
  try {
    await queue.removeOld();
  } catch (error) {
    if (!asFailure(error)) throw error;
  }
  for (const mirror of foldersIn(mirrors))
    if (now - touchedAt(path.join(mirror, 'FETCH_HEAD')) > 30 * dayMs) await remove(context, mirror);
  for (const job of foldersIn(jobs)) {
    const days = (now - touchedAt(job)) / dayMs;
    if (isOpen(job) || days < 1) continue;
    const isEmpty = await removeClones(context, job, clockMs);
    if (isEmpty && days > 30) await remove(context, job);
  }
}

/**
 * Removes a job's clones, except those that a pawl works in or that have something their remote lacks; returns whether none
 * is left.
 */
export async function removeClones(context: CliContext, job: string, clockMs: number): Promise<boolean> {
  let kept = 0;
  for (const life of foldersIn(job)) {
    const roots = foldersIn(life).filter((root) => existsSync(path.join(root, '.git')));
    const needed: boolean[] = [];
    for (const root of roots) needed.push(await isNeeded(context, root, clockMs));
    if (needed.includes(true)) kept += 1;
    else await remove(context, life);
  }
  return kept === 0;
}

async function isNeeded(context: CliContext, root: string, clockMs: number): Promise<boolean> {
  const gitDir = path.join(root, '.git');
  try {
    if (findLiveRuns({ root, gitDir, commonDir: gitDir }).length > 0) return true;
    const repo = await openPlainRepo(context, { root }, { trusted: false });
    return !(await isElsewhere(repo, root, { name: 'origin', clockMs }));
  } catch (error) {
    // The remote is unreachable, or git cannot read it.
    if (asFailure(error)) return true;
    throw error;
  }
}

/**
 * Whether the remote has all commits that were made in the clone: on its branches, or as part of a run that was continued.
 */
async function isElsewhere(repo: Repo, root: string, remote: Remote): Promise<boolean> {
  const own = await repo.git([
    'for-each-ref',
    '--format=%(refname) %(objectname)',
    'refs/heads',
    'refs/pawl',
  ]);
  const refs = own.split('\n').filter(Boolean);
  if (refs.some((line) => /^refs\/pawl\/[^ ]*\/fenced-/.test(line))) return false;
  const carry = readRunIn(root)?.carry;
  if (carry?.failed) return false;
  const there = await readRemoteRefs(repo, remote, ['refs/heads/*', ...(carry ? [carry.ref] : [])]);
  await fetchRefs(repo, remote, [...there.keys()]);
  const known = [...there].filter(([ref]) => ref !== carry?.ref).map(([, oid]) => oid);
  const carried = carry && there.get(carry.ref);
  if (carried !== undefined && !(await readRun(repo, carried, 'owner.json')).ended) known.push(carried);
  const heads = refs.filter((line) => line.startsWith('refs/heads/')).map((line) => line.split(' ')[1] ?? '');
  const input = ['HEAD', ...heads, ...known.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  return (await repo.git(['rev-list', '--max-count=1', '--stdin'], { input })) === '';
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
}

/** When it was last written to, epoch milliseconds; if missing, now. */
function touchedAt(file: string): number {
  return existsSync(file) ? statSync(file).mtimeMs : Number.POSITIVE_INFINITY;
}
