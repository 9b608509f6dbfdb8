// Writes a rescue chain's commits, and one that keeps what refs name: no hooks, no signing, no user identity.
import path from 'node:path';
import { readLoose } from '../protect/snapshot.ts';
import { changeRefs } from '../run/head.ts';
import { removeLocks } from '../run/lock-files.ts';
import { type CommitObject, readObjects, toCommit } from '../run/read-objects.ts';
import type { Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { ofIndex, stagedSince, withCopy } from '../tree/index-file.ts';
import { keepTree } from '../tree/tree.ts';

/** `head`: HEAD's commit, `tip`: the ref's. */
export async function readTips(
  repo: Repo,
  ref: string,
): Promise<{ head: string | undefined; tip: CommitObject | undefined }> {
  const [now, last] = [readLoose(repo), lastPoints.get(repo)?.get(ref)];
  if (now !== undefined && last && last.oid === readLoose(repo, ref)) return { head: now, tip: last };
  const [head, tip] = (await readObjects(repo, ['HEAD', ref])).map(toCommit);
  return { head: head?.oid, tip };
}

/** `head`: HEAD's commit; undefined: everything staged counts. */
export async function hasStaged(repo: Repo, head: string | undefined): Promise<boolean> {
  if (head === undefined) return true;
  const args = ['diff-index', '--cached', '--name-only', '-z', head, '--'];
  const ask = async () => (await repo.bytes(args)).length > 0;
  return ofIndex(repo, undefined, { what: stagedSince(head), ask });
}

/** From a copy, so that no lock is needed; undefined if the index has conflicts. */
export function writeStagedTree(repo: Repo): Promise<string | undefined> {
  return withCopy(path.join(repo.gitDir, 'index'), 'rescue', async (index) => {
    const written = await repo.write('write staged tree', ['write-tree'], { index, okCodes: [0, 128] });
    return written.trim() || undefined;
  });
}

type Point = Readonly<{ parents: readonly string[]; message: string }>;

/** Moves no ref. */
export async function commitPoint(repo: Repo, tree: string, point: Point): Promise<string> {
  const args = ['commit-tree', tree, ...point.parents.flatMap((parent) => ['-p', parent])];
  return (await repo.write('rescue point', args, { input: point.message, env: ownIdentity })).trim();
}

export async function commitPointAt(
  repo: Repo,
  tree: string,
  { ref, old, ...point }: Point & Readonly<{ ref: string; old: string | undefined }>,
): Promise<string> {
  const now = await commitPoint(repo, tree, point);
  // A killed pawl may have left its lock.
  await removeLocks(repo, {});
  await changeRefs(repo, 'rescue', [{ ref, now, old }]);
  const points = lastPoints.get(repo) ?? new Map<string, CommitObject>();
  lastPoints.set(repo, points.set(ref, { oid: now, tree, message: point.message }));
  return now;
}

const lastPoints = new WeakMap<Repo, Map<string, CommitObject>>();

/** Saved by this process. */
export function lastPointsOf(repo: Repo): Refs {
  return new Map([...(lastPoints.get(repo) ?? [])].map(([ref, { oid }]) => [ref, oid]));
}

export const ownIdentity = {
  GIT_AUTHOR_NAME: 'pawl',
  GIT_AUTHOR_EMAIL: 'pawl@localhost',
  GIT_COMMITTER_NAME: 'pawl',
  GIT_COMMITTER_EMAIL: 'pawl@localhost',
};

/** Stash and branches first; a command line takes no more. */
const mostHeld = 10_000;

const lastHeld = new WeakMap<Repo, string>();

/** One commit has them all as parents. `known`: kept anyway. Of an annotated tag, its commit is kept. */
export async function holdRefs(
  repo: Repo,
  run: string,
  { refs, stashes, known }: Readonly<{ refs: Refs; stashes: readonly string[]; known: readonly string[] }>,
): Promise<void> {
  const named = [...stashes, ...[...refs].sort().map(([, oid]) => oid)];
  const oids = [...new Set(named)].filter((oid) => !known.includes(oid)).slice(0, mostHeld);
  const key = oids.join(' ');
  if (oids.length === 0 || lastHeld.get(repo) === key) return;
  const input = oids.map((oid) => `${oid}^{commit}\n`).join('');
  const found = await repo.git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { input });
  const parents = [...new Set(found.match(/(?<=^commit )[0-9a-f]+$/gm))];
  const message = 'what branches, tags and stash named before a session\n';
  if (parents.length > 0)
    await keepTree(repo, run, await commitPoint(repo, 'HEAD^{tree}', { parents, message }), 'held');
  lastHeld.set(repo, key);
}
