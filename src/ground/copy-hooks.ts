// Gives a ground the repository's hooks with the files beside them.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { makeFolder } from '../disk.ts';
import { copyBelow } from '../git/place/untracked.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { moveText } from './move-text.ts';

/** Existing files, such as tracked hooks, stay. */
export function copyHooks(repo: Repo, own: Repo): void {
  const copyAll = (from: string, to: string): void => {
    if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory() || from === to) return;
    makeFolder(to);
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.sample') || existsSync(path.join(to, name)) || !copyBelow(from, to, name)) continue;
      const file = path.join(to, name);
      if (lstatSync(file).isFile()) moveIn(file, { from: repo.root, to: own.root });
    }
  };
  copyAll(path.join(repo.commonDir, 'hooks'), path.join(own.commonDir, 'hooks'));
  // Hooks outside the repository serve the ground too.
  const isOwn = isAtOrBelow(repo.hooksDir, repo.root) || isAtOrBelow(repo.hooksDir, repo.commonDir);
  if (isOwn && repo.hooksDir !== repo.root) copyAll(repo.hooksDir, own.hooksDir);
}

function moveIn(file: string, { from, to }: Readonly<{ from: string; to: string }>): void {
  const bytes = readFileSync(file);
  const text = bytes.includes(0) ? '' : bytes.toString('utf8');
  const moved = moveText(text, from, to);
  if (moved !== text) writeFileUnsynced(file, moved, lstatSync(file).mode & 0o777);
}
