// Commits, blobs and refs written as git's own files, by git's own rules (gitformat-loose, refs/files-backend, 2.39), where no
// process is worth its time. What only git can do is said, and left to it.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { makeFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { placeFile } from '../write-file.ts';
import { isNoRef, readLooseRef } from './loose.ts';
import type { Repo } from './repo.ts';

type Place = Pick<Repo, 'commonDir'>;

/** A commit to be made. `by`: author and committer, `Name <address>`. */
export type CommitText = Readonly<{
  tree: string;
  parents: readonly string[];
  message: string;
  by: string;
  at: Date;
}>;

/** Writes a commit as an object's file and returns its id; undefined: git has to. */
export function writeLooseCommit(place: Place, commit: CommitText): string | undefined {
  if (commit.message.includes('\0')) return undefined;
  const body = Buffer.from(formatCommit(commit));
  return writeObject(place, { kind: 'commit', body, oidBytes: commit.tree.length / 2 });
}

/** Writes a file's content, which no filter of git's touches, as an object's file and returns its id; undefined: git has to. */
export function writeLooseBlob(place: Place, body: Uint8Array, oidBytes: number): string | undefined {
  return writeObject(place, { kind: 'blob', body, oidBytes });
}

/** The id of a file's content that no filter touches. */
export function blobId(body: Uint8Array, oidBytes: number): string {
  return objectOf({ kind: 'blob', body, oidBytes }).oid;
}

type ObjectText = Readonly<{ kind: 'commit' | 'blob'; body: Uint8Array; oidBytes: number }>;

function objectOf({ kind, body, oidBytes }: ObjectText): Readonly<{ bytes: Buffer; oid: string }> {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]);
  const hash = createHash(oidBytes === 32 ? 'sha256' : 'sha1');
  return { bytes, oid: hash.update(bytes).digest('hex') };
}

function writeObject(place: Place, object: ObjectText): string | undefined {
  const { bytes, oid } = objectOf(object);
  const objects = path.join(place.commonDir, 'objects');
  const folder = path.join(objects, oid.slice(0, 2));
  const file = path.join(folder, oid.slice(2));
  const draft = path.join(folder, `tmp_obj_${randomBytes(4).toString('hex')}`);
  const isPlaced = placeOwn(objects, file, deflateSync(bytes, { level: 1 }), { draft, mode: 0o444 });
  return isPlaced ? oid : undefined;
}

/** Makes a ref that nobody else writes hold a commit, if it holds `old` (undefined: is not there) by its own file; false: git has to. */
export function writeLooseRef(
  place: Place,
  ref: string,
  { now, old }: Readonly<{ now: string; old: string | undefined }>,
): boolean {
  const isAsTold = old === undefined ? isNoRef(place, ref) : readLooseRef(place, ref) === old;
  if (!isAsTold) return false;
  const file = path.join(place.commonDir, ref);
  const refs = path.join(place.commonDir, 'refs');
  return placeOwn(refs, file, Buffer.from(`${now}\n`), { draft: `${file}.lock`, mode: 0o666 });
}

/** False where it cannot be: the folder is shared with a group by rules of git's, another file or lock is in the way. A full disk is a Failure. */
function placeOwn(
  top: string,
  file: string,
  content: Uint8Array,
  options: Parameters<typeof placeFile>[2],
): boolean {
  try {
    if ((statSync(top).mode & setGid) !== 0) return false;
    if (!existsSync(path.dirname(file))) makeFolder(path.dirname(file), 0o777);
    placeFile(file, content, options);
    return true;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return false;
  }
}

/** What `core.sharedRepository` leaves at every folder (setup.c, path.c). */
const setGid = 0o2000;

/** As `git commit-tree` words an object: the message as it is. */
function formatCommit({ tree, parents, message, by, at }: CommitText): string {
  const who = `${by} ${Math.floor(at.getTime() / 1000)} ${zoneOf(at)}`;
  const links = parents.map((parent) => `parent ${parent}\n`).join('');
  return `tree ${tree}\n${links}author ${who}\ncommitter ${who}\n\n${message}`;
}

/** `+0100`, as the clock on the wall has it. */
function zoneOf(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`;
}
