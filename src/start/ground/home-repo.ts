// The person's repository, as a run in a ground of pawl's own sees it.
import path from 'node:path';
import type { Repo } from '../../git/run/repo.ts';
import { findPlaceAt } from '../locate.ts';

/** It, in the tree the run was started from; without a tree that could follow if that is gone. */
export function homeRepoOf(ground: Repo, from: string): Repo {
  const { home } = ground;
  const place = findPlaceAt(from);
  const tree = place?.commonDir === home && place.gitDir !== ground.gitDir ? place : undefined;
  const hooksDir = path.join(home, 'hooks');
  return ground.at(tree?.root ?? home, { gitDir: tree?.gitDir ?? home, commonDir: home, hooksDir });
}
