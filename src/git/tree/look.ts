// One look at the work tree, compared with HEAD and an index of pawl's own.

import { nameOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
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
  const [{ head, entries: all }, submodules] = await Promise.all([
    readStatus(repo, { index, ignored: true }),
    findDirtySubmodules(repo, index),
  ]);
  const { ignored = [], others: entries = [] } = Object.groupBy(all, ({ kind }) =>
    kind === 'ignored' ? kind : 'others',
  );
  return { head, entries, ignored, submodules };
}

/** Whether the look's index matches HEAD. */
export function isAsHead({ entries }: Pick<Look, 'entries'>): boolean {
  return entries.every(({ kind, staged }) => kind !== 'unmerged' && staged === '.');
}

export function submoduleFiles({ submodules }: Look): readonly string[] {
  return submodules.flatMap(({ changed }) => changed.map(nameOf));
}

/**
 * Not ignored and not in HEAD, whether or not the index has them, and changed files of submodules; a nested repository
 * ends in a slash.
 */
export function newFiles(look: Look): readonly string[] {
  const { entries } = look;
  const inHead = new Set(entries.flatMap(({ staged, raw }) => (staged === 'D' ? raw : [])));
  const own = entries
    .filter(({ kind, staged, work, raw }) =>
      kind === 'untracked' ? !inHead.has(raw) : staged === 'A' && work !== 'D',
    )
    .map(({ file }) => file);
  return [...own, ...submoduleFiles(look)];
}
