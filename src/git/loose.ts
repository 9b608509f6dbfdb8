// Refs and commits read from git's own files: what was just written lies there, and reading it takes no process. What it
// does not find there may still exist, packed or in another store: only git knows.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { parseHead } from './refs.ts';
import type { Repo } from './repo.ts';

type Place = Pick<Repo, 'commonDir'>;

/** A commit as its object says. */
export type CommitObject = Readonly<{
  oid: string;
  tree: string;
  parents: readonly string[];
  message: string;
}>;

/** Object id that a ref's own file holds. */
export function readLooseRef(place: Place, ref: string): string | undefined {
  try {
    return parseHead(readFileSync(path.join(place.commonDir, ref), 'utf8')).detached;
  } catch {
    return undefined;
  }
}

/** True when the files tell that there is no such ref: it is neither loose nor packed, and refs are not kept in another way. */
export function isNoRef(place: Place, ref: string): boolean {
  const at = (name: string): string => path.join(place.commonDir, name);
  if (existsSync(at('reftable')) || existsSync(at(ref))) return false;
  try {
    return !existsSync(at('packed-refs')) || !readFileSync(at('packed-refs'), 'latin1').includes(` ${ref}\n`);
  } catch {
    return false;
  }
}

/** A commit from its own file, whose bytes are what the id says. Undefined also for one that is not in UTF-8. */
export function readLooseCommit(place: Place, oid: string): CommitObject | undefined {
  try {
    const file = path.join(place.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    const bytes = inflateSync(readFileSync(file));
    const hash = createHash(oid.length === 64 ? 'sha256' : 'sha1')
      .update(bytes)
      .digest('hex');
    const head = bytes.indexOf(0);
    if (hash !== oid || !bytes.toString('latin1', 0, head).startsWith('commit ')) return undefined;
    return parseCommit(oid, bytes.toString('utf8', head + 1));
  } catch {
    return undefined;
  }
}

/** Reads a commit object's text; undefined where its message is not in UTF-8. */
export function parseCommit(oid: string, text: string): CommitObject | undefined {
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end < 0 ? text.length : end).split('\n');
  if (headers.some((line) => line.startsWith('encoding '))) return undefined;
  const valuesOf = (name: string): readonly string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [tree] = valuesOf('tree');
  if (tree === undefined) return undefined;
  return { oid, tree, parents: valuesOf('parent'), message: end < 0 ? '' : text.slice(end + 2) };
}
