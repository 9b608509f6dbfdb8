// What a worker removes: clones whose work is on their remote, old rows.
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { removeInPieces } from '../../disk.ts';
import { needFailure } from '../../failure.ts';
import type { Queue } from '../../fleet/queue.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { listRefs } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listRuns } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { remoteNamed } from '../carry/prepare-carry.ts';
import { type CliContext, printNote } from '../context.ts';
import { findLiveRuns, readRun } from '../find-run.ts';
import { groundsOf } from '../ground/make-own.ts';
import { realOf } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';

const dayMs = 24 * 3_600_000;

/**
 * Now, and every day; what cannot be done now is done another day. `isOpen`: there is work in a folder of `jobs`.
 * Disposing waits for what is under way.
 */
export function keepHouseDaily(
  context: CliContext,
  { queue, jobs }: Readonly<{ queue: Pick<Queue, 'removeOld'>; jobs: string }>,
  isOpen: (job: string) => boolean,
): AsyncDisposable {
  const keep = async () => {
    const now = context.now().getTime();
    await queue.removeOld().catch(needFailure);
    for (const job of foldersIn(jobs))
      if (!isOpen(job) && now - statSync(job).mtimeMs > dayMs && (await removeClones(context, job)))
        await remove(context, job);
  };
  const keepOrTell = () => keep().catch((error: Error) => printNote(context, `${error.stack}`));
  let kept = keepOrTell();
  const daily = setInterval(() => {
    kept = keepOrTell();
  }, dayMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(daily);
      await kept;
    },
  };
}

/** With the grounds of their runs. Returns whether none is left. */
export async function removeClones(context: CliContext, job: string): Promise<boolean> {
  let isEmpty = true;
  for (const root of foldersIn(job))
    if (await isNeeded(context, root)) isEmpty = false;
    else {
      await remove(context, groundsOf(context.folders.state, realOf(path.join(root, '.git'))));
      await remove(context, root);
    }
  return isEmpty;
}

/** A failure to remove fails no job. */
export async function remove(context: CliContext, folder: string): Promise<void> {
  try {
    await removeInPieces(folder);
  } catch (error) {
    printNote(context, `not all of ${folder} could be removed: ${(error as Error).message}`);
  }
}

async function isNeeded(context: CliContext, root: string): Promise<boolean> {
  const gitDir = path.join(root, '.git');
  if (!existsSync(gitDir)) return false;
  try {
    if (findLiveRuns({ root, gitDir, commonDir: gitDir }).length > 0) return true;
    const repo = await openPlainRepo(context, { root }, { trusted: false });
    return !(await isElsewhere(repo, root, remoteNamed()));
  } catch (error) {
    // The remote is unreachable, or git cannot read it.
    needFailure(error);
    return true;
  }
}

/** Whether the remote has all the clone's commits on its branches. */
async function isElsewhere(repo: Repo, root: string, remote: Remote): Promise<boolean> {
  const refs = [...(await listRefs(repo, ['refs/heads', 'refs/pawl']))];
  if (refs.some(([ref]) => /^refs\/pawl\/.*\/fenced-/.test(ref))) return false;
  if (readRunIn(root)?.carry?.failed) return false;
  const there = await readRemoteRefs(repo, remote, ['refs/heads/*']);
  await fetchRefs(repo, remote, [...there.keys()]);
  const heads = refs.flatMap(([ref, oid]) => (ref.startsWith('refs/heads/') ? oid : []));
  // A clone that was cut short has neither.
  const own = [readHead(repo).detached ?? [], ...heads].flat();
  const input = [...own, ...[...there.values()].map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  return (await repo.git(['rev-list', '--max-count=1', '--stdin'], { input })) === '';
}

/** A journal that cannot be read now is read later. */
export function readRunIn(root: string): RunState | undefined {
  try {
    const [run] = listRuns(path.join(root, '.git'));
    return run && readRun(run);
  } catch (error) {
    needFailure(error);
    return undefined;
  }
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
}
