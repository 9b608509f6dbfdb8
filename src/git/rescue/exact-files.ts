// Files held byte for byte with their mode, where git would not. The point's tree has the bytes, its message the list.
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, setMode } from '../../disk.ts';
import { orElse } from '../../or-else.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { nameOf, quote, rawOf } from '../run/names.ts';
import { readObjects, toCommit } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';
import { changedEntries } from '../tree/changes.ts';
import { findBlocked } from '../tree/entry.ts';
import { putEntries } from '../tree/index-file.ts';
import type { TreeChange } from '../tree/raw-diff.ts';
import { parseEntries } from '../tree/tree-entry.ts';
import { type ExactText, parsePoint } from './rescue-point.ts';

/** `oid`: a blob of the exact bytes. */
export type ExactFile = ExactText & Readonly<{ oid: string }>;

/** Leaves out what is no regular file, and names that are no valid text. Raw names. */
export async function storeExact(repo: Repo, raws: readonly string[]): Promise<readonly ExactFile[]> {
  const files = raws.flatMap((raw) => {
    const file = nameOf(raw);
    const mode = rawOf(file) === raw ? modeOf(repo, file) : undefined;
    return mode === undefined ? [] : [{ file, mode }];
  });
  if (files.length === 0) return [];
  const input = files.map(({ file }) => `${quote(file)}\n`).join('');
  const args = ['hash-object', '--no-filters', '--stdin-paths', '-w'];
  const oids = (await repo.write('keep bytes', args, { input })).trim().split('\n');
  return files.map((one, at) => ({ ...one, oid: oids[at] ?? '' }));
}

/** Whatever attributes say. */
export async function stageExact(repo: Repo, index: string, files: readonly ExactFile[]): Promise<void> {
  await putEntries(
    repo,
    index,
    files.map(({ file, mode, oid }) => ({
      raw: rawOf(file),
      mode: (mode & 0o100) !== 0 ? '100755' : '100644',
      oid,
    })),
  );
}

const known = new WeakMap<Repo, Map<string, readonly ExactFile[]>>();

/** Empty if the point no longer exists. */
export async function readExact(repo: Repo, point: string): Promise<readonly ExactFile[]> {
  return known.get(repo)?.get(point) ?? rememberExact(repo, point, await readListed(repo, point));
}

/** A point never changes. */
export function rememberExact(repo: Repo, point: string, files: readonly ExactFile[]): typeof files {
  known.set(repo, (known.get(repo) ?? new Map<string, readonly ExactFile[]>()).set(point, files));
  return files;
}

async function readListed(repo: Repo, point: string): Promise<readonly ExactFile[]> {
  const [commit] = (await readObjects(repo, [point])).map(toCommit);
  const { exact = [] } = parsePoint(commit?.message ?? '') ?? {};
  const listed = exact.length === 0 ? [] : parseEntries(await repo.bytes(['ls-tree', '-r', '-z', point]));
  const oids = new Map(listed.map(({ raw, oid }) => [raw, oid]));
  return exact.map((one) => ({ ...one, oid: oids.get(rawOf(one.file)) ?? '' }));
}

/** Against its own HEAD, as git would commit it: what only looks clean has not changed. */
export async function changedInPoint(repo: Repo, point: string): Promise<readonly TreeChange[]> {
  const cleans = new Map((await readExact(repo, point)).map(({ file, clean }) => [rawOf(file), clean]));
  const listed = await changedEntries(repo, `${point}^2`, point);
  return listed.flatMap((one) => {
    const clean = cleans.get(one.raw);
    if (clean === undefined) return one;
    return one.was?.oid === clean ? [] : { ...one, is: one.is && { ...one.is, oid: clean } };
  });
}

export function findInexact(repo: Repo, files: readonly ExactFile[]): readonly ExactFile[] {
  return files.filter(
    ({ file, mode, oid }) => modeOf(repo, file) !== mode || hashOf(repo, file, oid) !== oid,
  );
}

/** A file that something is in the way of is left; returns the others’ names. */
export async function writeExact(repo: Repo, files: readonly ExactFile[]): Promise<readonly string[]> {
  const free = files.filter(({ file }) => findBlocked(repo.root, rawOf(file)) === undefined);
  const objects = await readObjects(
    repo,
    free.map(({ oid }) => oid),
  );
  return free.flatMap(({ file, mode }, at) => {
    const bytes = objects[at]?.body;
    if (!bytes) return [];
    const where = path.join(repo.root, file);
    makeFolder(path.dirname(where));
    writeFileAtomic(where, bytes, mode);
    setMode(where, mode);
    return file;
  });
}

/** As git names a blob of the bytes; `like`: another object's id. */
export function hashOf({ root }: Repo, file: string, like: string): string | undefined {
  return orElse(() => hashBytes(readFileSync(path.join(root, file)), like), undefined);
}

export function hashBytes(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function modeOf({ root }: Repo, file: string): number | undefined {
  const stat = orElse(() => lstatSync(path.join(root, file)), undefined);
  return stat?.isFile() ? stat.mode & 0o777 : undefined;
}
