// The difference of two trees, as a list of files and as a patch, and the tree of a commit. The last answers are cached,
// since trees and commits never change.

import type { GitCommand } from '../run/git-command.ts';
import { cutText } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { type ChangedFile, changeFlags, parseChanges, splitPatch } from './raw-diff.ts';

/** A patch up to this size is made and kept beside the list of files; in bytes. */
const mostPatch = 4 * 1024 * 1024;

/** The difference of two commits or trees; `patch`: absent where it is too long to be kept. */
export type Changes = Readonly<{ files: readonly ChangedFile[]; patch?: Buffer }>;

/** The command whose output `readChanges` reads: an index against a commit or tree. */
export function indexChanges(index: string, against: string): GitCommand {
  const args = ['diff-index', '--cached', '-p', '--no-color', ...changeFlags, against, '--'];
  return { args, options: { index, maxBytes: mostPatch } };
}

/** Reads what `indexChanges` printed; undefined where it was cut within the list of files. */
export function readChanges(output: Buffer): Changes | undefined {
  const { list, patch } = splitPatch(output);
  if (output.length <= mostPatch) return { files: parseChanges(list), patch: patch ?? Buffer.alloc(0) };
  return patch && { files: parseChanges(list) };
}

/** Keeps an answer. A name such as HEAD may mean another commit next time: only object ids are kept. */
export function rememberChanges(repo: Repo, from: string, to: string, changes: Changes): void {
  if (isOid(from)) last.set(repo, { from, to, changes });
}

/** The last answer, where it is that for these two. */
export function knownChanges(repo: Repo, from: string, to: string): Changes | undefined {
  if (from === to && isOid(from)) return { files: [], patch: Buffer.alloc(0) };
  const known = last.get(repo);
  return known && known.from === from && known.to === to ? known.changes : undefined;
}

const last = new WeakMap<Repo, Readonly<{ from: string; to: string; changes: Changes }>>();

function isOid(treeish: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(treeish);
}

/** Keeps which tree a commit has. */
export function rememberTree(repo: Repo, commit: string, tree: string): void {
  lastTree.set(repo, { commit, tree });
}

/** The tree of a commit, if it is the one that was kept last. */
export function knownTree(repo: Repo, commit: string | undefined): string | undefined {
  const known = lastTree.get(repo);
  return known && known.commit === commit ? known.tree : undefined;
}

const lastTree = new WeakMap<Repo, Readonly<{ commit: string; tree: string }>>();

/** Files that differ between two commits or trees, renames found. */
export async function changedFiles(repo: Repo, from: string, to: string): Promise<readonly ChangedFile[]> {
  const known = knownChanges(repo, from, to);
  return known ? known.files : parseChanges(await repo.bytes(['diff-tree', ...changeFlags, from, to, '--']));
}

/** Names that differ between two commits or trees; of a renamed file both. */
export async function changedNames(repo: Repo, from: string, to: string): Promise<readonly string[]> {
  return (await changedFiles(repo, from, to)).flatMap(({ file, from: old }) =>
    old === undefined ? [file] : [old, file],
  );
}

/** The difference of two commits or trees as a patch, cut at `maxBytes` with a last line that says so; no program of the repository's runs. `asText`: also of what attributes call binary. */
export async function diffText(
  repo: Repo,
  from: string,
  to: string,
  { maxBytes, asText = false }: Readonly<{ maxBytes: number; asText?: boolean }>,
): Promise<string> {
  const how = asText ? ['--text'] : [];
  const flags = ['-r', '-p', '-M', '--no-color', '--no-ext-diff', '--no-textconv', ...how];
  const output =
    (asText ? undefined : knownChanges(repo, from, to)?.patch) ??
    (await repo.bytes(['diff-tree', ...flags, from, to, '--'], { maxBytes }));
  if (output.length <= maxBytes) return output.toString('utf8');
  return `${cutText(output, maxBytes)}\n[the rest of the diff is cut: more than ${maxBytes} bytes]\n`;
}
