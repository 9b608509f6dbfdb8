// The folder for the socket between a bubblewrap sandbox and pawl: short, because a socket path may have 107 bytes; private;
// and removed with the run, or at the next start in the same tree.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeOwnFolder } from '../../disk.ts';
import type { CliContext } from '../context.ts';

/** Where the folders of all working trees lie. */
type Parent = Readonly<{ parent: string }>;

/** A new name for such a folder of the working tree of this git folder. */
export function nameWireFolder(
  gitDir: string,
  { parent, random }: Parent & Readonly<{ random: string }>,
): string {
  return path.join(parent, `${prefixOf(gitDir)}${random}`);
}

/** Removes those that earlier starts in the working tree left; who calls it holds the tree, so their pawl is dead. */
export function removeWireFolders(
  gitDir: string,
  { parent, uid }: Parent & Readonly<{ uid: number | undefined }>,
): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefixOf(gitDir))) continue;
    const folder = path.join(parent, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    // In a folder that all may write to, anybody can make one of that name.
    if (found?.isDirectory() && (uid === undefined || found.uid === uid)) removeOwnFolder(folder);
  }
}

/** A folder whose path is short. */
export function wireParent({ folders }: Pick<CliContext, 'folders'>): string {
  const short = [folders.runtime, tmpdir()].find((folder) => folder !== undefined && folder.length <= 60);
  return short ?? '/tmp';
}

function prefixOf(gitDir: string): string {
  return `pawl-sandbox-${createHash('sha256').update(gitDir).digest('hex').slice(0, 12)}-`;
}
