// One look at the work tree against HEAD and an index of pawl's own: what tree T, rescue points and the question which
// files are new all start from. It stages nothing and judges nothing.
import { existsSync } from 'node:fs';
import { knownTree, readyIndex, readySameIndex, rememberTree } from './index-file.ts';
import { readLooseCommit } from './loose.ts';
import type { Repo } from './repo.ts';
import { findUnstagedHead } from './rescue-commit.ts';
import { readStatus, type StatusEntry } from './status.ts';
import { findDirtySubmodules } from './submodule.ts';

/** What differed at one moment. It holds until something writes into the work tree or the index file. */
export type Look = Readonly<{
  entries: readonly StatusEntry[];
  /** Submodules whose files changed. */
  submodules: readonly string[];
}>;

/** Looks with an index file that is kept, so that only what changed is read. `ignored`: ignored files too. */
export async function lookAtTree(
  repo: Repo,
  index: string,
  options: Readonly<{ ignored?: boolean }> = {},
): Promise<Look> {
  await readyHeadIndex(repo, index);
  const known = knownTree(repo, index);
  const [entries, submodules] = await Promise.all([
    readStatus(repo, { index, ...options }),
    findDirtySubmodules(repo, index),
  ]);
  // It may have written the file anew, with other stat information and the same entries.
  if (known !== undefined) rememberTree(repo, index, known);
  return { entries, submodules };
}

/** Makes the index file where there is none; one that is HEAD's tree already is only copied. */
async function readyHeadIndex(repo: Repo, index: string): Promise<void> {
  const head = existsSync(index) ? undefined : findUnstagedHead(repo);
  const commit = head === undefined ? undefined : readLooseCommit(repo, head);
  if (!commit) return readyIndex(repo, index, 'HEAD');
  readySameIndex(repo, index);
  rememberTree(repo, index, commit.tree);
}

/** Files that are there, not ignored and not in HEAD, whether or not the index has them; a repository of its own ends in a slash. */
export function newFiles({ entries }: Look): readonly string[] {
  const inHead = new Set(entries.flatMap(({ staged, raw }) => (staged === 'D' ? raw : [])));
  return entries
    .filter(({ kind, staged, work, raw }) =>
      kind === 'untracked' ? !inHead.has(raw) : staged === 'A' && work !== 'D',
    )
    .map(({ file }) => file);
}
