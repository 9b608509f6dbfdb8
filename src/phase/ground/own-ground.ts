// A run in pawl's own ground: the person's repository gets its branch; the tree there follows if on it and unchanged.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { removeFile } from '../../disk.ts';
import { type Failure, needFailure } from '../../failure.ts';
import { followBranch } from '../../git/lane/follow.ts';
import { bringGround, type GroundHome, keepGround, takeFromHome } from '../../git/lane/ground-home.ts';
import { readHead } from '../../git/protect/snapshot.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { noticeOnce } from '../../journal/state.ts';
import type { Home } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
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
