// One look at the work tree against HEAD and an index of pawl's own. Tree T, rescue points and the list of new files all start
// from it.

import { nameOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { readyIndex } from './index-file.ts';
import { readStatus, type Status, type StatusEntry } from './status.ts';
import { type DirtySubmodule, findDirtySubmodules } from './submodule.ts';

/** What differed at one moment. It holds until something writes into the work tree or the index file. */
export type Look = Status &
  Readonly<{
    /** What git ignores: a folder that a rule names as one, ending in a slash. */
    ignored: readonly StatusEntry[];
    /** Submodules whose files changed. */
    submodules: readonly DirtySubmodule[];
  }>;

/** Looks with an index file that is kept, so that only what changed is read. */
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

/** Whether the index that was looked with holds what HEAD holds. */
export function isAsHead({ entries }: Pick<Look, 'entries'>): boolean {
  return entries.every(({ kind, staged }) => kind !== 'unmerged' && staged === '.');
}

/** Changed files of submodules, named from the root. */
export function submoduleFiles({ submodules }: Look): readonly string[] {
  return submodules.flatMap(({ changed }) => changed.map(nameOf));
}

/** Files that are there, not ignored and not in HEAD, whether or not the index has them, and changed ones of submodules; a repository of its own ends in a slash. */
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
