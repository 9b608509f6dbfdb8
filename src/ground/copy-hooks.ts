// Gives a ground the repository's hooks and the files beside them: those in the git folder, and those that a program put into
// an ignored folder of the work tree.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { makeFolder } from '../disk.ts';
import { copyBelow } from '../git/place/untracked.ts';
import type { Repo } from '../git/run/repo.ts';

/** Copies what is missing; existing files, such as tracked hooks, stay. */
export function copyHooks(repo: Repo, own: Repo): void {
  copyAll(path.join(repo.commonDir, 'hooks'), path.join(own.commonDir, 'hooks'));
  // Hooks outside the repository are the ground's too.
  const isOwn = isAtOrBelow(repo.hooksDir, repo.root) || isAtOrBelow(repo.hooksDir, repo.commonDir);
  if (isOwn && repo.hooksDir !== repo.root) copyAll(repo.hooksDir, own.hooksDir);
}

function copyAll(from: string, to: string): void {
  if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory() || from === to) return;
  makeFolder(to);
  const names = readdirSync(from, { recursive: true, encoding: 'utf8' });
  for (const name of names)
    if (!name.endsWith('.sample') && !existsSync(path.join(to, name))) copyBelow(from, to, name);
}
