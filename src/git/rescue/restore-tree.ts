// Resets the work tree to a tree or rescue point, once a rescue holds what goes.
import { removeEmptyFolder, removeFile } from '../../disk.ts';
import { Failure } from '../../failure.ts';
import { fewOf, foldersOf, joinNul, nameOf, pathOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { findBlocked, statAt } from '../tree/entry.ts';
import { readFlags } from '../tree/flags.ts';
import { readyIndex, setIndex, withCopy } from '../tree/index-file.ts';
import { readStatus, type StatusEntry } from '../tree/status.ts';
import { type ExactFile, findInexact, readExact, writeExact } from './exact-files.ts';
import { listBlobs } from './lossy-files.ts';

export type RestoreOptions = Readonly<{
  /** Or a rescue point, whose bytes and modes come back. */
  tree: string;
  /** Afterwards it holds the tree. */
  index: string;
  /** The user's own untracked files. */
  keep?: ReadonlySet<string>;
  /** Tracked files that stay as they are. */
  stay?: ReadonlySet<string>;
  /** Default: all. */
  only?: (file: string) => boolean;
  /** The commit that holds what is taken away. */
  rescue: string;
  /** The rescue point of the tree's time: what only the work tree had comes from it. Default: `tree`. */
  exact?: string | undefined;
}>;

/**
 * Rewrites tracked files; removes newer ones only if `keep` is given, except those. Touches only what `rescue` holds;
 * otherwise throws Failure('git') with nothing changed. `left`: untracked files that stay.
 */
export async function restoreTree(
  repo: Repo,
  options: RestoreOptions,
): Promise<Readonly<{ restored: readonly string[]; left: readonly string[] }>> {
  const { raws, exact, extra, left } = await planRestore(repo, options);
  removeFiles(repo, extra);
  await rewriteFiles(repo, options.index, raws);
  await writeExact(repo, exact);
  return { restored: [...raws.map(nameOf), ...exact.map(({ file }) => file)].sort(), left };
}

type RestorePlan = Readonly<{
  raws: readonly string[];
  exact: readonly ExactFile[];
  extra: readonly string[];
  left: readonly string[];
}>;

/**
 * What `restoreTree` would do. Throws a Failure for what the rescue does not hold, or an untracked file in a folder's
 * place or the reverse.
 */
export async function planRestore(repo: Repo, options: RestoreOptions): Promise<RestorePlan> {
  const { tree, index, keep, stay, only, rescue } = options;
  await readyIndex(repo, index, tree);
  await setIndex(repo, tree, index);
  const { entries } = await readStatus(repo, { index });
  const isWanted = (file: string): boolean => !stay?.has(file) && (only?.(file) ?? true);
  const changed = entries.filter(
    ({ kind, work, gitlink, file }) => kind === 'tracked' && work !== '.' && !gitlink && isWanted(file),
  );
  const untracked = entries.filter(({ kind }) => kind === 'untracked');
  const isExtra = ({ file }: StatusEntry): boolean =>
    keep !== undefined && !file.endsWith('/') && !keep.has(file);
  const extra = untracked.filter(isExtra).map(({ raw }) => raw);
  const left = untracked.filter((entry) => !isExtra(entry)).map(({ file }) => file);
  const rewritten = changed.map(({ raw }) => raw);
  const held = (await findHeld(repo, options, rewritten)).filter(({ file }) => isWanted(file));
  const isHeld = new Set(held.map(({ file }) => rawOf(file)));
  const raws = rewritten.filter((raw) => !isHeld.has(raw));
  const exact = findInexact(repo, held);
  const back = [...raws, ...exact.map(({ file }) => rawOf(file))];
  refuseInTheWay(left, back.map(nameOf));
  await assertHeld(repo, { index, rescue, raws: [...back, ...extra] });
  return { raws, exact, extra, left };
}

/**
 * Of the point's exact files, those of the tree, those that git was told not to look at, and rewritten ones of which
 * the tree has what git made of them.
 */
async function findHeld(
  repo: Repo,
  { tree, index, exact = tree }: RestoreOptions,
  rewritten: readonly string[],
): Promise<readonly ExactFile[]> {
  const held = await readExact(repo, exact);
  if (held.length === 0) return [];
  const [blobs, flags] = await Promise.all([listBlobs(repo, index), readFlags(repo)]);
  return held.filter(({ file, oid, clean }) => {
    const raw = rawOf(file);
    const blob = blobs.get(raw);
    return (
      flags.has(raw) || blob === oid || (blob !== undefined && blob === clean && rewritten.includes(raw))
    );
  });
}

function refuseInTheWay(left: readonly string[], files: readonly string[]): void {
  for (const mine of left) {
    const file = files.find((one) => mine.startsWith(`${one}/`) || one.startsWith(`${mine}/`));
    if (file === undefined) continue;
    throw new Failure('preflight', `${mine} is in the way of ${file}, which would be restored`, {
      hint: `Move ${mine} away and try again; nothing was changed.`,
    });
  }
}

/** Throws Failure('git') unless the rescue holds each as it is now; missing files need not be. Raw names. */
async function assertHeld(
  repo: Repo,
  found: Readonly<{ index: string; rescue: string; raws: readonly string[] }>,
): Promise<void> {
  const present = found.raws.filter((raw) => isFile(repo, raw));
  if (present.length === 0) return;
  const [held, { entries }] = await withCopy(found.index, 'held', async (index) => {
    await setIndex(repo, found.rescue, index);
    return Promise.all([repo.bytes(['ls-files', '-z'], { index }), readStatus(repo, { index })]);
  });
  const known = new Set(splitNul(held));
  for (const entry of entries) if (entry.work !== '.') known.delete(entry.raw);
  const exact = await readExact(repo, found.rescue);
  for (const { file } of exact) known.add(rawOf(file));
  for (const { file } of findInexact(repo, exact)) known.delete(rawOf(file));
  const unheld = present.filter((raw) => !known.has(raw));
  if (unheld.length === 0) return;
  throw new Failure('git', `nothing was restored: ${fewOf(unheld.map(nameOf))} would be lost`, {
    hint: 'Move these files away, and try again.',
  });
}

/** What is behind a symlink does not count. */
function isFile(repo: Repo, raw: string): boolean {
  if (!foldersOf(raw).every((folder) => statAt(repo.root, folder)?.isDirectory())) return false;
  const stat = statAt(repo.root, raw);
  return stat !== undefined && !stat.isDirectory();
}

/** As the index has them. Throws Failure('git') before writing if something is in the way. Raw names. */
export async function rewriteFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  for (const raw of raws) {
    const blocked = findBlocked(repo.root, raw);
    if (blocked === undefined) continue;
    throw new Failure('git', `nothing was restored: ${nameOf(blocked)} is in the way of ${nameOf(raw)}`, {
      hint: `Move ${nameOf(blocked)} away and try again.`,
    });
  }
  await repo.write('rewrite files', ['checkout-index', '-f', '-u', '-z', '--stdin'], {
    index,
    input: joinNul(raws),
  });
}

export function removeFiles(repo: Repo, raws: readonly string[]): void {
  const folders = new Set<string>();
  for (const raw of raws) {
    removeFile(pathOf(repo.root, raw));
    for (const folder of foldersOf(raw)) folders.add(folder);
  }
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) removeEmptyFolder(pathOf(repo.root, folder));
}
