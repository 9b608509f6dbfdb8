// Makes the files of a work tree follow its branch, which has moved under it: file by file, around what a person has changed.
// It may be cut off at any point, and be called again.
import path from 'node:path';
import { removeFiles, rewriteFiles } from '../rescue/rewrite.ts';
import { foldersOf, joinNul, nameOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex, withCopy } from '../tree/index-file.ts';
import { statAt } from '../tree/stat-at.ts';

/** From which commit to which; `stay`: files that somebody else looks after. */
export type FollowRequest = Readonly<{ from: string; to: string; stay?: ReadonlySet<string> }>;

/** One file that the branch has otherwise now. Modes and objects as git names them; zeros: it has none. */
type Change = Readonly<{ raw: string; was: string; is: string; isGone: boolean; isNew: boolean }>;

/** Brings files and index after the branch; `kept`: files that a person has otherwise than either commit. */
export async function followBranch(
  repo: Repo,
  { from, to, stay }: FollowRequest,
): Promise<Readonly<{ kept: readonly string[] }>> {
  const changes = await listChanges(repo, from, to);
  if (changes.length === 0) return { kept: [] };
  const kept = await withCopy(path.join(repo.gitDir, 'index'), 'pawl-follow', async (index) => {
    const dirty = await listDirty(repo, index, from);
    const other = await listDirty(repo, index, to);
    const isFree = ({ raw }: Change) =>
      foldersOf(raw).every((above) => statAt(repo.root, above)?.isDirectory() ?? true);
    const isTheirs = (change: Change): boolean =>
      change.isNew
        ? statAt(repo.root, change.raw) !== undefined || !isFree(change)
        : dirty.has(change.raw) || !isFree(change);
    const open = changes.filter(({ raw, isGone }) =>
      isGone ? statAt(repo.root, raw) !== undefined : other.has(raw),
    );
    const left = open.filter((change) => stay?.has(nameOf(change.raw)) || isTheirs(change));
    const ours = open.filter((change) => !left.includes(change));
    removeFiles(
      repo,
      ours.flatMap(({ raw, isGone }) => (isGone ? raw : [])),
    );
    await rewriteFiles(
      repo,
      index,
      ours.flatMap(({ raw, isGone }) => (isGone ? [] : raw)),
    );
    return left.map(({ raw }) => nameOf(raw)).filter((file) => !stay?.has(file));
  });
  await followIndex(repo, changes);
  return { kept };
}

async function listChanges(repo: Repo, from: string, to: string): Promise<readonly Change[]> {
  const fields = splitNul(await repo.bytes(['diff-tree', '-r', '-z', '--no-renames', from, to]));
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [wasMode = '', isMode = '', wasOid = '', isOid = '', how] = (fields[at] ?? '').slice(1).split(' ');
    changes.push({
      raw: fields[at + 1] ?? '',
      was: `${wasMode} ${wasOid}`,
      is: `${isMode} ${isOid}`,
      isGone: how === 'D',
      isNew: how === 'A',
    });
  }
  // A submodule is its owner's to move.
  return changes.filter(({ was, is }) => !was.startsWith('160000') && !is.startsWith('160000'));
}

/** Files that the work tree has otherwise than a commit, by their content. */
async function listDirty(repo: Repo, index: string, commit: string): Promise<ReadonlySet<string>> {
  await setIndex(repo, commit, index);
  await repo.write('refresh index', ['update-index', '-q', '--really-refresh'], { index, okCodes: [0, 1] });
  return new Set(splitNul(await repo.bytes(['diff-files', '--name-only', '-z', '--no-renames'], { index })));
}

/** The repository's own index follows where it is as the branch was; what a person has staged stays. */
async function followIndex(repo: Repo, changes: readonly Change[]): Promise<void> {
  const index = path.join(repo.gitDir, 'index');
  const listed = splitNul(await repo.bytes(['ls-files', '-s', '-z'], { index }));
  const staged = new Map(
    listed.map((record): [string, string] => {
      const at = record.indexOf('\t');
      return [record.slice(at + 1), record.slice(0, at)];
    }),
  );
  const lines = changes.flatMap(({ raw, was, is, isGone, isNew }) => {
    const now = staged.get(raw);
    const isAsWas = isNew ? now === undefined : now === `${was} 0`;
    if (!isAsWas) return [];
    return isGone ? `0 ${is.split(' ')[1]}\t${raw}` : `${is} 0\t${raw}`;
  });
  if (lines.length > 0)
    await repo.write('follow in index', ['update-index', '-z', '--index-info'], {
      index,
      input: joinNul(lines),
    });
  await repo.write('refresh index', ['update-index', '-q', '--refresh'], { index, okCodes: [0, 1] });
}
