// Reads many objects with one process, `git cat-file --batch` (git 2.39).
import type { Repo } from './repo.ts';

export type ObjectRead = Readonly<{ oid: string; kind: string; body: Buffer }>;

/** In order; undefined where there is none. Names must not contain a newline. */
export async function readObjects(
  repo: Repo,
  names: readonly string[],
): Promise<readonly (ObjectRead | undefined)[]> {
  if (names.length === 0) return [];
  const input = names.map((name) => `${name}\n`).join('');
  const output = await repo.bytes(['cat-file', '--batch'], { input });
  let at = 0;
  return names.map(() => {
    const end = output.indexOf('\n', at);
    const [, oid, kind, length] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (oid === undefined || kind === undefined) return undefined;
    const body = output.subarray(at, at + Number(length));
    at += body.length + 1;
    return { oid, kind, body };
  });
}

export type CommitObject = Readonly<{ oid: string; tree: string; message: string }>;

export function toCommit(object: ObjectRead | undefined): CommitObject | undefined {
  if (object?.kind !== 'commit') return undefined;
  const text = object.body.toString('utf8');
  const tree = /^tree ([0-9a-f]+)$/m.exec(text)?.[1] ?? '';
  return { oid: object.oid, tree, message: text.slice(text.indexOf('\n\n') + 2) };
}

/** Files that the tree lacks are left out. */
export async function readBlobs(
  repo: Repo,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // A path with a newline cannot be asked for like this.
  const asked = files.filter((file) => !file.includes('\n'));
  const objects = await readObjects(
    repo,
    asked.map((file) => `${tree}:${file}`),
  );
  const blobs = asked.flatMap((file, at): [string, string][] => {
    const object = objects[at];
    return object?.kind === 'blob' ? [[file, object.body.toString('utf8')]] : [];
  });
  return new Map(blobs);
}

/** The id of a file's content in each tree; undefined if it has none. */
export async function findBlobs(
  repo: Repo,
  asked: readonly Readonly<{ tree: string; file: string }>[],
): Promise<readonly (string | undefined)[]> {
  if (asked.length === 0) return [];
  // An empty line is answered too.
  const names = asked.map(({ tree, file }) => (file.includes('\n') ? '' : `${tree}:${file}`));
  const input = names.map((name) => `${name}\n`).join('');
  const found = await repo.git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const lines = found.split('\n');
  return names.map((_, at) => /^([0-9a-f]+) blob$/.exec(lines[at] ?? '')?.[1]);
}
