// Keeps what git trees lose about a file: its full mode, and bytes that attributes convert. A rescue point keeps both in an
// extra commit, its last parent.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, setMode } from '../../disk.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { foldersOf, joinNul, nameOf, quote, rawOf, splitNul } from '../run/names.ts';
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from '../tree/entry.ts';
import { commitPoint } from './rescue-commit.ts';
import { exactParent, parsePoint } from './rescue-point.ts';

/** One regular file as it was. `oid`: a blob of its exact bytes. */
export type ExactFile = Readonly<{ file: string; mode: number; oid: string }>;

/**
 * Stores bytes and modes of regular files. Git's tree is exact enough for anything else, and for files whose names are not
 * valid text. Raw names.
 */
export async function storeExact(repo: Repo, raws: readonly string[]): Promise<readonly ExactFile[]> {
  const files = raws.flatMap((raw) => {
    const file = nameOf(raw);
    const mode = rawOf(file) === raw ? modeOf(repo, file) : undefined;
    return mode === undefined ? [] : [{ file, mode }];
  });
  const names = files.map(({ file }) => file);
  const oids = await hashFiles(repo, names, 'keep');
  return files.flatMap((one, at) => {
    const oid = oids[at];
    return oid === undefined ? [] : [{ ...one, oid }];
  });
}

/** A commit that protects them from git's garbage collection; its message lists them. */
export async function commitExact(repo: Repo, files: readonly ExactFile[]): Promise<string> {
  const lines = files.map(({ oid }, at) => `100644 blob ${oid}\t${at}\n`);
  const tree = (await repo.write('exact files', ['mktree'], { input: lines.join('') })).trim();
  return commitPoint(repo, tree, { parents: [], message: formatExact(files) });
}

/** Adds their exact bytes to an index, whatever attributes say. */
export async function stageExact(repo: Repo, index: string, files: readonly ExactFile[]): Promise<void> {
  if (files.length === 0) return;
  const lines = files.map(
    ({ file, mode, oid }) => `${(mode & 0o100) !== 0 ? '100755' : '100644'} ${oid} 0\t${rawOf(file)}`,
  );
  await repo.write('exact entries', ['update-index', '-z', '--index-info'], { index, input: joinNul(lines) });
}

export function formatExact(files: readonly ExactFile[]): string {
  const lines = files.map((one) => JSON.stringify([one.file, one.mode.toString(8), one.oid]));
  return `files as git does not keep them\n\n${lines.join('\n')}\n`;
}

/** A digest that represents the list in a point's message. */
export function digestExact(files: readonly ExactFile[]): string {
  return createHash('sha256').update(formatExact(files)).digest('hex').slice(0, 40);
}

/** Parses a commit's message; skips lines that are not in this format. */
export function parseExact(message: string): readonly ExactFile[] {
  return message.split('\n').flatMap((line) => {
    const [file, mode, oid] = parseList(line);
    if (typeof file !== 'string' || typeof mode !== 'string' || typeof oid !== 'string') return [];
    return [{ file, mode: Number.parseInt(mode, 8), oid }];
  });
}

function parseList(line: string): readonly unknown[] {
  try {
    return line.startsWith('["') ? JSON.parse(line) : [];
  } catch {
    return [];
  }
}

/** The list in a point's commit `exact`. */
export async function readExact(repo: Repo, exact: string): Promise<readonly ExactFile[]> {
  const commit = (await repo.bytes(['cat-file', 'commit', exact])).toString('utf8');
  return parseExact(commit.slice(commit.indexOf('\n\n') + 2));
}

/** Points that were saved without any such file. */
const holdsNone = new WeakMap<Repo, Set<string>>();

/** Remembers what a point was saved with, so that one without exact files is not read again. */
export function rememberHeld(repo: Repo, point: string, exact: readonly ExactFile[]): void {
  const points = holdsNone.get(repo) ?? new Set();
  if (exact.length === 0) holdsNone.set(repo, points.add(point));
}

/** The exact files that a rescue point holds; empty if the point no longer exists. */
export async function heldFiles(repo: Repo, point: string): Promise<readonly ExactFile[]> {
  if (holdsNone.get(repo)?.has(point)) return [];
  const names = [point, ...[2, 3, 4].map((parent) => `${point}^${parent}`)];
  const found = await readObjects(repo, names);
  const [message, ...texts] = found.map((object) => object?.body.toString('utf8').replace(/^.*?\n\n/s, ''));
  const text = parsePoint(message ?? '');
  const exact = text && exactParent({ ...text, oid: point });
  return exact === undefined ? [] : parseExact(texts[names.indexOf(exact) - 1] ?? '');
}

/** Writes held files that are missing, if nothing is in their place; returns their names. */
export async function writeMissing(
  repo: Repo,
  held: readonly ExactFile[],
  files: ReadonlySet<string>,
): Promise<readonly string[]> {
  const isFree = ({ file }: ExactFile): boolean => {
    const raw = rawOf(file);
    const above = foldersOf(raw).every((folder) => statAt(repo.root, folder)?.isDirectory() ?? true);
    return above && statAt(repo.root, raw) === undefined;
  };
  const gone = held.filter((one) => files.has(one.file) && isFree(one));
  for (const { file } of gone) makeFolder(path.dirname(path.join(repo.root, file)));
  await writeExact(repo, gone);
  return gone.map(({ file }) => file);
}

/**
 * Gives files the exact bytes and modes that a rescue point holds, if `tree` (now in the work tree) has the same version of
 * them as the point. `stay`: files left alone; `only`: no others are written. Returns their names.
 */
export async function writeExactOf(
  repo: Repo,
  given: Readonly<{
    point: string;
    tree: string;
    stay?: ReadonlySet<string>;
    only?: ReadonlySet<string>;
  }>,
): Promise<readonly string[]> {
  const { point, tree, stay, only } = given;
  const held = await heldFiles(repo, point);
  if (held.length === 0) return [];
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', point, tree];
  const others = new Set(splitNul(await repo.bytes(args)));
  const isWanted = (file: string): boolean => (only?.has(file) ?? true) && !stay?.has(file);
  const same = held.filter(({ file }) => !others.has(rawOf(file)) && isWanted(file));
  const inexact = await findInexact(repo, same);
  await writeExact(repo, inexact);
  return inexact.map(({ file }) => file);
}

/** Files whose bytes or mode differ now, or that are missing. */
export async function findInexact(repo: Repo, files: readonly ExactFile[]): Promise<readonly ExactFile[]> {
  const present = files.filter(({ file }) => modeOf(repo, file) !== undefined);
  const names = present.map(({ file }) => file);
  const oids = await hashFiles(repo, names, 'look');
  const same = new Set(
    present.filter(({ file, mode, oid }, at) => oid === oids[at] && mode === modeOf(repo, file)),
  );
  return files.filter((one) => !same.has(one));
}

/** Writes files with their exact bytes and modes. Their folders must exist. */
export async function writeExact(repo: Repo, files: readonly ExactFile[]): Promise<void> {
  for (const { file, mode, oid } of files) {
    const where = path.join(repo.root, file);
    writeFileAtomic(where, await repo.bytes(['cat-file', 'blob', oid]), mode);
    setMode(where, mode);
  }
}

/** Blobs of the files' exact bytes, in order; `keep`: stores them. */
async function hashFiles(
  repo: Repo,
  files: readonly string[],
  what: 'keep' | 'look',
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const input = files.map((file) => `${quote(file)}\n`).join('');
  const args = ['hash-object', '--no-filters', '--stdin-paths'];
  const printed =
    what === 'keep'
      ? await repo.write('keep bytes', [...args, '-w'], { input })
      : await repo.git(args, { input });
  return printed.trim().split('\n');
}

/** The mode of a regular file; undefined if there is none. */
function modeOf(repo: Repo, file: string): number | undefined {
  try {
    const stat = lstatSync(path.join(repo.root, file));
    return stat.isFile() ? stat.mode & 0o777 : undefined;
  } catch {
    return undefined;
  }
}
