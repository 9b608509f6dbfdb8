// Moves a lane to another tree and commit. What is in no tree stays; may be cut off anywhere and repeated.
import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { changeRefs } from '../../git/run/head.ts';
import { nameOf, splitNul } from '../../git/run/names.ts';
import { moveTree, setIndex, withCopy } from '../../git/tree/index-file.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { plainCheck } from '../../work/work.ts';

/** `known`: the tree last written from it; anything else is not work. */
export type Move = Readonly<{ known: string; tree: string; commit: string; reason: string }>;

export async function moveLane(lane: Place, { known, tree, commit, reason }: Move): Promise<void> {
  const { repo, index } = lane;
  const ignored = await findInTheWay(lane, tree);
  const rescue = await saveRescuePoint(lane, reason, { ignored });
  const keep = await withCopy(index, 'beside', async (copy) => {
    await setIndex(repo, known, copy);
    const others = await repo.bytes(['ls-files', '-o', '-z', '--exclude-standard'], { index: copy });
    return new Set(splitNul(others).map(nameOf));
  });
  await restoreTree(repo, { tree, index, rescue, keep });
  await setHead(lane, commit, await readHeadCommit(repo));
}

/** Where this would lose anything git refuses, and `moveLane` does it. */
export async function moveKnownLane(lane: Place, { from, ...move }: Move & { from: string }): Promise<void> {
  const { known, tree, commit } = move;
  try {
    await moveTree(lane.repo, lane.index, { from: known, to: tree });
  } catch {
    return moveLane(lane, move);
  }
  await setHead(lane, commit, from);
}

/** Ignored files in the way of the tree's; names are raw bytes. */
async function findInTheWay({ repo }: Place, tree: string): Promise<readonly string[]> {
  const listed = splitNul(await repo.bytes(['ls-files', '-o', '-i', '--exclude-standard', '-z']));
  if (listed.length === 0) return [];
  const wanted = new Set(splitNul(await repo.bytes(['ls-tree', '-r', '-z', '--name-only', tree])));
  return listed.filter((raw) => wanted.has(raw));
}

async function setHead(lane: Place, commit: string, old: string): Promise<void> {
  const { repo } = lane;
  if (old !== commit) await changeRefs(repo, 'catch up', [{ ref: 'HEAD', now: commit, old }]);
  await setIndex(repo, commit);
  if (lane.lane) await followInside(lane, commit);
}

const followMs = 30_000;

const command = `git symbolic-ref HEAD "refs/heads/$PAWL_BRANCH"
git update-ref "refs/heads/$PAWL_BRANCH" "$PAWL_HEAD"
git read-tree "$PAWL_HEAD"
git update-index -q --refresh`;

/** For git in the sandbox. A git folder that a session broke stays broken. */
async function followInside(place: Place, commit: string): Promise<void> {
  const { run, repo, env, sandbox, lane } = place;
  if (!sandbox) return;
  const name = `git-${lane?.number ?? 0}`;
  await runCheck(
    {
      ...place,
      signal: run.signal,
      root: repo.root,
      env: { ...env, PAWL_BRANCH: run.state().started.branch, PAWL_HEAD: commit },
      mark: `PAWL_CHECK=${run.folder}/${name}`,
      timeoutMs: followMs,
    },
    plainCheck('config:1', command),
    path.join(run.folder, inRun.checks, `${name}.log`),
  );
}
