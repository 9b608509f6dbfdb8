// Keeps what git trees lose of a file: its full mode, and bytes that attributes convert. A rescue point keeps both in an extra
// commit, its last parent.
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

/** One regular file as it was. `oid`: a blob of its very bytes. */
export type ExactFile = Readonly<{ file: string; mode: number; oid: string }>;

/** Takes in the bytes and modes of regular files; what is no regular file, or has a name that is no text, git's tree holds well enough. Raw names. */
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

/** The commit that keeps them from git's own clean-up; its text lists them. */
export async function commitExact(repo: Repo, files: readonly ExactFile[]): Promise<string> {
  const lines = files.map(({ oid }, at) => `100644 blob ${oid}\t${at}\n`);
  const tree = (await repo.write('exact files', ['mktree'], { input: lines.join('') })).trim();
  return commitPoint(repo, tree, { parents: [], message: formatExact(files) });
}

/** Takes their very bytes into an index, whatever attributes say of them. */
export async function stageExact(repo: Repo, index: string, files: readonly ExactFile[]): Promise<void> {
  if (files.length === 0) return;
  const lines = files.map(
    ({ file, mode, oid }) => `${(mode & 0o100) !== 0 ? '100755' : '100644'} ${oid} 0\t${rawOf(file)}`,
  );
  await repo.write('exact entries', ['update-index', '-z', '--index-info'], { index, input: joinNul(lines) });
}

/** The list as a commit's text. */
export function formatExact(files: readonly ExactFile[]): string {
  const lines = files.map((one) => JSON.stringify([one.file, one.mode.toString(8), one.oid]));
  return `files as git does not keep them\n\n${lines.join('\n')}\n`;
}

/** Stands for a list in a point's text. */
export function digestExact(files: readonly ExactFile[]): string {
  return createHash('sha256').update(formatExact(files)).digest('hex').slice(0, 40);
}

/** Reads a commit's text back; a line that is none of ours is skipped. */
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

/** The list of a point's commit `exact`. */
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

/** What a rescue point's list of exact files holds; nothing where the point is gone, and with it what it knew. */
export async function heldFiles(repo: Repo, point: string): Promise<readonly ExactFile[]> {
  if (holdsNone.get(repo)?.has(point)) return [];
  const names = [point, ...[2, 3, 4].map((parent) => `${point}^${parent}`)];
  const found = await readObjects(repo, names);
  const [message, ...texts] = found.map((object) => object?.body.toString('utf8').replace(/^.*?\n\n/s, ''));
  const text = parsePoint(message ?? '');
  const exact = text && exactParent({ ...text, oid: point });
  return exact === undefined ? [] : parseExact(texts[names.indexOf(exact) - 1] ?? '');
}

/** Writes those of the files that are held and gone, where nothing stands in their place; returns their names. */
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

/** Gives files that a rescue point holds their very bytes and modes, where a tree has them as the point does; the tree is in the work tree. `stay`: files left alone. Returns their names. */
export async function writeExactOf(
  repo: Repo,
  { point, tree, stay }: Readonly<{ point: string; tree: string; stay?: ReadonlySet<string> }>,
): Promise<readonly string[]> {
  const held = await heldFiles(repo, point);
  if (held.length === 0) return [];
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', point, tree];
  const others = new Set(splitNul(await repo.bytes(args)));
  const same = held.filter(({ file }) => !others.has(rawOf(file)) && !stay?.has(file));
  const inexact = await findInexact(repo, same);
  await writeExact(repo, inexact);
  return inexact.map(({ file }) => file);
}

/** Those whose bytes or mode are other now, or that are not there. */
export async function findInexact(repo: Repo, files: readonly ExactFile[]): Promise<readonly ExactFile[]> {
  const present = files.filter(({ file }) => modeOf(repo, file) !== undefined);
  const names = present.map(({ file }) => file);
  const oids = await hashFiles(repo, names, 'look');
  const same = new Set(
    present.filter(({ file, mode, oid }, at) => oid === oids[at] && mode === modeOf(repo, file)),
  );
  return files.filter((one) => !same.has(one));
}

/** Writes files with their very bytes and modes. The folders are there. */
export async function writeExact(repo: Repo, files: readonly ExactFile[]): Promise<void> {
  for (const { file, mode, oid } of files) {
    const where = path.join(repo.root, file);
    writeFileAtomic(where, await repo.bytes(['cat-file', 'blob', oid]), mode);
    setMode(where, mode);
  }
}

/** Blobs of the files' very bytes, in their order; `keep`: stored. */
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

/** The mode of a regular file; undefined when there is none. */
function modeOf(repo: Repo, file: string): number | undefined {
  try {
    const stat = lstatSync(path.join(repo.root, file));
    return stat.isFile() ? stat.mode & 0o777 : undefined;
  } catch {
    return undefined;
  }
}
