// Updates files after their branch has moved, except a person's. May be cut off and called again.
import path from 'node:path';
import { readFlags } from '../protect/snapshot.ts';
import { findLossy } from '../rescue/lossy-files.ts';
import { removeFiles, rewriteFiles } from '../rescue/rewrite.ts';
import { foldersOf, joinNul, nameOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from '../tree/entry.ts';
import { putEntries, setIndex, withCopy } from '../tree/index-file.ts';

/** Modes and objects as git prints them; zeros if there is none. */
type Change = Readonly<{ raw: string; was: string; is: string; isGone: boolean; isNew: boolean }>;

/** `kept`: a person's, which differ from both commits. */
export async function followBranch(
  repo: Repo,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<Readonly<{ kept: readonly string[] }>> {
  const changes = await listChanges(repo, from, to);
  if (changes.length === 0) return { kept: [] };
  // Files whose changes git was told to ignore are a person's, whatever their content.
  const flags = await readFlags(repo);
  const stamps = new Map(changes.map(({ raw }) => [raw, stampAt(repo, raw)]));
  // What a person saves meanwhile is theirs too.
  const isSaved = ({ raw }: Change) => {
    const now = stampAt(repo, raw);
    return now !== undefined && now !== stamps.get(raw);
  };
  const kept = await withCopy(path.join(repo.gitDir, 'index'), 'pawl-follow', async (index) => {
    const dirty = await listDirty(repo, index, from);
    const isFree = ({ raw }: Change) =>
      foldersOf(raw).every((above) => statAt(repo.root, above)?.isDirectory() ?? true);
    const isTheirs = (change: Change): boolean =>
      flags.has(change.raw) ||
      isSaved(change) ||
      !isFree(change) ||
      (change.isNew ? statAt(repo.root, change.raw) !== undefined : dirty.has(change.raw));
    // Deletions first, to make room: a folder for a file, or the reverse.
    const gone = changes.filter(({ isGone, raw }) => isGone && statAt(repo.root, raw) !== undefined);
    const [theirs, ours] = partition(gone, isTheirs);
    removeFiles(repo, rawsOf(ours));
    await setIndex(repo, to, index);
    const come = changes.filter(({ isGone }) => !isGone);
    const held: Change[] = [];
    for (let at = 0; at < come.length; at += atOnce) {
      const [theirs, free] = partition(come.slice(at, at + atOnce), isTheirs);
      held.push(...theirs);
      await rewriteFiles(repo, index, rawsOf(free));
    }
    // What an earlier call has written is not a person's.
    const other = held.length === 0 ? new Set<string>() : await listDirty(repo, index, to);
    const left = [...theirs, ...held.filter(({ raw }) => flags.has(raw) || other.has(raw))];
    return left.map(({ raw }) => nameOf(raw));
  });
  await followIndex(repo, changes, flags);
  return { kept };
}

/** Files per batch, checked once more before each. */
const atOnce = 200;

function stampAt({ root }: Repo, raw: string): string | undefined {
  const stat = statAt(root, raw);
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

function rawsOf(changes: readonly Change[]): readonly string[] {
  return changes.map(({ raw }) => raw);
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  const yes = all.filter(is);
  return [yes, all.filter((one) => !yes.includes(one))];
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
  // Moving a submodule is up to its owner.
  return changes.filter(({ was, is }) => !was.startsWith('160000') && !is.startsWith('160000'));
}

/** Differing in content, or in what a filter leaves out of it. */
async function listDirty(repo: Repo, index: string, commit: string): Promise<ReadonlySet<string>> {
  await setIndex(repo, commit, index);
  await repo.write('refresh index', ['update-index', '-q', '--really-refresh'], { index, okCodes: [0, 1] });
  const differ = splitNul(await repo.bytes(['diff-files', '--name-only', '-z', '--no-renames'], { index }));
  return new Set([...differ, ...(await findLossy(repo, index, [])).keys()]);
}

/** The index follows where it matched the branch; what a person has staged stays. */
async function followIndex(
  repo: Repo,
  changes: readonly Change[],
  flags: ReadonlyMap<string, string>,
): Promise<void> {
  const index = path.join(repo.gitDir, 'index');
  const listed = splitNul(await repo.bytes(['ls-files', '-s', '-z'], { index }));
  const staged = new Map(
    listed.map((record) => [record.slice(record.indexOf('\t') + 1), record.slice(0, record.indexOf('\t'))]),
  );
  const lines = changes.flatMap(({ raw, was, is, isGone, isNew }) => {
    const isAsWas = staged.get(raw) === (isNew ? undefined : `${was} 0`);
    if (!isAsWas) return [];
    return isGone ? `0 ${is.split(' ')[1]}\t${raw}` : `${is} 0\t${raw}`;
  });
  await putEntries(repo, index, lines);
  const flagged = changes.filter(({ raw, isGone }) => !isGone && flags.has(raw));
  for (const [flag, tags] of Object.entries({ '--skip-worktree': 'Ss', '--assume-unchanged': 'hs' })) {
    const raws = rawsOf(flagged.filter(({ raw }) => tags.includes(flags.get(raw) ?? '-')));
    const args = ['update-index', '-z', flag, '--stdin'];
    if (raws.length > 0) await repo.write('flags stay', args, { index, input: joinNul(raws) });
  }
  await repo.write('refresh index', ['update-index', '-q', '--refresh'], { index, okCodes: [0, 1] });
}
