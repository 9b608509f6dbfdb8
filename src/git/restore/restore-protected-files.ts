// Restores what decides what git runs, by plain writes: git would obey a planted file. What it replaces is kept.
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { Failure } from '../../failure.ts';
import {
  hookFiles,
  identityOf,
  keysBetween,
  type ProtectedFiles,
  type Watched,
} from '../protect/protected-files.ts';
import type { Repo } from '../run/repo.ts';
import { type Entry, isSameEntry, readEntry, restoreEntry, restoreFolders } from '../tree/entry.ts';
import type { Violation } from './violation.ts';

/** `taken`: what was there instead. */
export type ProtectedFileChange = Pick<Violation, 'act' | 'detail' | 'response'> &
  Readonly<{ taken?: Buffer }>;

/**
 * `owns`: hooks in the work tree that the task may change: that is reported, and stays. Throws Failure('git') if `.git`
 * was removed or replaced.
 */
export async function restoreProtectedFiles(
  place: Repo,
  before: ProtectedFiles,
  owns: (file: string) => boolean = () => false,
): Promise<readonly ProtectedFileChange[]> {
  checkDotGit(place, before);
  const changes = [...before.folders].flatMap(([folder, kind]) =>
    restoreProtectedFolder(place, folder, kind),
  );
  const known = new Set(before.files.map(({ file }) => file));
  const added = hookFiles(place).filter((file) => !known.has(file));
  const planted: Watched[] = added.map((file) => ({
    file,
    what: 'hook',
    outside: false,
    entry: { kind: 'missing' },
  }));
  for (const watched of [...before.files, ...planted]) {
    const change = await restoreProtectedFile(place, watched, owns);
    if (change) changes.push(change);
  }
  return changes;
}

async function restoreProtectedFile(
  place: Repo,
  watched: Watched,
  owns: (file: string) => boolean,
): Promise<ProtectedFileChange | undefined> {
  const now = readEntry(watched.file);
  if (isSameEntry(watched.entry, now)) return undefined;
  const keys = watched.what === 'config' ? await keysBetween(place, watched.entry, now) : [];
  if (watched.what === 'config' && keys.length === 0) return undefined;
  const name = shownName(place, watched.file);
  const act = watched.what === 'hook' ? 'changed-hooks' : 'changed-git-config';
  const detail = keys.length > 0 ? `${keys.join(', ')} in ${name}` : name;
  const isTask = watched.what === 'hook' && isBelow(watched.file, place.root) && owns(name);
  if (watched.outside || isTask) return { act, detail, response: 'reported' };
  const home = [place.root, place.commonDir, place.gitDir]
    .filter((folder) => isBelow(watched.file, folder))
    .at(-1);
  if (home !== undefined && watched.entry.kind !== 'missing')
    restoreFolders(home, path.dirname(watched.file), asideOf(place, watched.file));
  restoreEntry(watched.file, watched.entry, asideOf(place, watched.file));
  return { act, detail, response: 'put-back', ...(now.kind === 'file' ? { taken: now.bytes } : {}) };
}

/** A folder that became a symlink would lead writes elsewhere. */
function restoreProtectedFolder(
  place: Repo,
  folder: string,
  before: Entry['kind'],
): readonly ProtectedFileChange[] {
  const now = readEntry(folder);
  if (now.kind === before || now.kind === 'missing' || (before === 'missing' && now.kind === 'folder'))
    return [];
  const name = shownName(place, folder);
  if (/(refs|objects)$/.test(folder) && isBelow(folder, place.commonDir))
    throw new Failure('git', `${name} is no longer a folder of git's own`, { hint: restoreHint });
  restoreEntry(folder, { kind: before === 'folder' ? 'folder' : 'missing' }, asideOf(place, folder));
  const act = folder.endsWith('info') ? 'changed-git-config' : 'changed-hooks';
  return [{ act, detail: `${name} was replaced`, response: 'put-back' }];
}

const restoreHint =
  'The working tree was left as it is. Restore .git from a copy or a fresh clone, and start again.';

function checkDotGit(place: Repo, before: ProtectedFiles): void {
  const now = readEntry(path.join(place.root, '.git'));
  const fate = now.kind === 'missing' ? 'removed' : 'replaced';
  const isOther = before.identity !== undefined && identityOf(place) !== before.identity;
  if (!isSameEntry(before.dotGit, now) || isOther)
    throw new Failure('git', `${path.join(place.root, '.git')} was ${fate} while the agent worked`, {
      hint: restoreHint,
    });
}

/** Two files of one name, taken at the same moment, are both kept. */
function asideOf(place: Repo, file: string): string {
  const name = path.join(place.commonDir, 'pawl', 'aside', `${path.basename(file)}-${Date.now()}`);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (readEntry(free).kind === 'missing') return free;
  }
}

function shownName(place: Repo, file: string): string {
  if (isBelow(file, place.root)) return path.relative(place.root, file);
  if (isBelow(file, place.commonDir)) return path.join('.git', path.relative(place.commonDir, file));
  return file;
}
