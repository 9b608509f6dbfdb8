// A run in pawl's own ground: the person's repository gets its branch; the tree there follows if on it and unchanged.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { type Failure, needFailure } from '../../failure.ts';
import { followBranch, type Move } from '../../git/lane/follow.ts';
import { bringGround, type GroundHome, keepGround, takeFromHome } from '../../git/lane/ground-home.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { partChanges } from '../../git/rescue/replay-rescue.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { changedEntries } from '../../git/tree/changes.ts';
import { noticeOnce } from '../../journal/state.ts';
import type { Home, Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { setWorkAside } from '../../work/begin.ts';
import { writeTreeNow } from '../../work/tree/work-tree.ts';
import { writeFileAtomic } from '../../write-file.ts';

export function createHome(
  run: Pick<Run, 'id' | 'folder' | 'emit' | 'state'>,
  { ground, home }: Readonly<{ ground: Repo; home: Repo }>,
): Home {
  const of = (): GroundHome => ({ ground, home, run: run.id, branch: run.state().started.branch });
  const tell: Tell = {
    kept: (files) => run.emit({ type: 'landing', state: 'kept', files: [...files] }),
    notFollowed: ({ message }) => {
      const text = `The files of ${home.root} do not follow the branch yet: ${message}`;
      noticeOnce(run, { code: 'not-followed', text });
    },
  };
  return {
    repo: home,
    keep: () => keepGround(of()),
    homeOf: (ref) => ref,
    bring: () => bringHome(of(), run.folder, tell),
    take: (makeWay) => takeFromHome(of(), makeWay),
  };
}

/** Between pieces of work: also completes what a kill cut off. */
export async function settleHome(place: Place): Promise<void> {
  await place.home?.take((move) => makeWay(place, move));
  await place.home?.bring();
}

/** Work that changes the same files as what comes leaves the tree, and returns after it. */
async function makeWay(place: Place, { from, to }: Move): Promise<void> {
  const { plan, repo, run } = place;
  const { tree } = await writeTreeNow(place);
  const since = (now: string) => changedEntries(repo, from, now);
  const { left = [] } = partChanges(await since(tree), await since(to));
  const isLeaving = [...run.state().tasks.values()].some(({ work }) => work.is === 'leaving');
  if (isLeaving || left.some(({ file }) => file !== plan.name))
    await setWorkAside(place, 'somebody committed changes of the same files');
}

type Tell = Readonly<{
  kept: (files: readonly string[]) => void;
  /** The branch has moved; the files follow next time. */
  notFollowed: (failure: Failure) => void;
}>;

export function notesOf(say: (text: string) => void): Tell {
  return {
    kept: (files) => say(`These files differ from the branch because of you, and stay: ${files.join(', ')}`),
    notFollowed: ({ message }) => say(`Your files do not follow the branch yet: ${message}`),
  };
}

export async function bringHome(of: GroundHome, folder: string, tell: Tell): Promise<void> {
  const { home, branch } = of;
  // Holds the commit from which the files follow.
  const file = path.join(folder, 'home-follows');
  // Without a tree, its root is its git folder.
  const isThere = () => home.root !== home.gitDir && readHead(home).branch === branch;
  if (existsSync(file) && !isThere()) removeFile(file);
  await bringGround(of, (from) => {
    // Unless it still has to follow from an earlier commit.
    if (isThere() && !existsSync(file)) writeFileAtomic(file, from, 0o600);
  });
  try {
    const to = existsSync(file) ? await readRef(home, `refs/heads/${branch}`) : undefined;
    if (to === undefined) return;
    const kept = await followBranch(home, { from: readFileSync(file, 'utf8'), to });
    removeFile(file);
    if (kept.length > 0) tell.kept(kept);
  } catch (error) {
    tell.notFollowed(needFailure(error));
  }
}
