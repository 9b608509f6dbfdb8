// One look at the work tree, compared with HEAD and an index of pawl's own.

import { nameOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from './entry.ts';
import { readyIndex } from './index-file.ts';
import { readStatus, type Status, type StatusEntry } from './status.ts';
import { type DirtySubmodule, findDirtySubmodules } from './submodule.ts';

/** Valid until something writes to the work tree or the index file. */
export type Look = Status &
  Readonly<{
    /** A folder ignored as a whole is one entry with a trailing slash. */
    ignored: readonly StatusEntry[];
    submodules: readonly DirtySubmodule[];
  }>;

/** The index file is kept, so that only what changed is read. */
export async function lookAtTree(repo: Repo, index: string): Promise<Look> {
  await readyIndex(repo, index, 'HEAD');
  const [{ head, entries: listed }, submodules] = await Promise.all([
    readStatus(repo, { index, ignored: true }),
    findDirtySubmodules(repo, index),
  ]);
  const all = joinReturned(repo, listed);
  const { ignored = [], others: entries = [] } = Object.groupBy(all, ({ kind }) =>
    kind === 'ignored' ? kind : 'others',
  );
  return { head, entries, ignored, submodules };
}

/** A file of HEAD that an earlier tree lacked and that is back is not new, however git lists it. */
function joinReturned({ root }: Repo, entries: readonly StatusEntry[]): readonly StatusEntry[] {
  const isBack = ({ raw, staged }: StatusEntry): boolean => {
    const found = staged === 'D' ? statAt(root, raw) : undefined;
    return found !== undefined && !found.isDirectory();
  };
  const back = new Map(entries.filter(isBack).map((entry) => [entry.raw, { ...entry, work: 'A' }]));
  if (back.size === 0) return entries;
  return [...entries.filter(({ raw }) => !back.has(raw)), ...back.values()];
}

/** Whether the look's index matches HEAD. */
export function isAsHead({ entries }: Pick<Look, 'entries'>): boolean {
  return entries.every(({ kind, staged }) => kind !== 'unmerged' && staged === '.');
}

export function submoduleFiles({ submodules }: Look): readonly string[] {
  return submodules.flatMap(({ changed }) => changed.map(nameOf));
}

/**
 * Not ignored and not in HEAD, in the index or not, and submodules' changed files; a nested repository ends in a slash.
 */
export function newFiles(look: Look): readonly string[] {
  const own = look.entries
    .filter(({ kind, staged, work }) => kind === 'untracked' || (staged === 'A' && work !== 'D'))
    .map(({ file }) => file);
  return [...own, ...submoduleFiles(look)];
}
