// A carried run as a commit: its journal, small files, open work as a tree. What a remote has is validated.
import { Failure } from '../../failure.ts';
import { ownIdentity } from '../rescue/rescue-commit.ts';
import { readObjects } from '../run/read-objects.ts';
import type { Repo } from '../run/repo.ts';
import { parseEntries } from '../tree/tree-entry.ts';

/** By name. A push sends only a journal's new lines: git makes a delta of it. */
export type CarriedFiles = ReadonlyMap<string, Buffer>;

export type CarriedContent = Readonly<{
  files: CarriedFiles;
  /** Tree id; absent if it is the head's tree. */
  work?: string | undefined;
  /** The ref's previous commit, and the branch's head. */
  parents: readonly string[];
  message: string;
}>;

/** From bytes, never the work tree; moves no ref. */
export async function writeCarried(
  repo: Repo,
  { files, work, parents, message }: CarriedContent,
): Promise<string> {
  const lines = work === undefined ? [] : [`040000 tree ${work}\t${workName}\0`];
  for (const [name, bytes] of files) {
    const args = ['hash-object', '-w', '--no-filters', '--stdin'];
    const oid = (await repo.write('carried file', args, { input: bytes })).trim();
    lines.push(`100644 blob ${oid}\t${name}\0`);
  }
  const tree = (await repo.write('carried tree', ['mktree', '-z'], { input: lines.join('') })).trim();
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])];
  return (await repo.write('carried commit', args, { input: message, env: ownIdentity })).trim();
}

const workName = 'work';

export type CarriedTree = Readonly<{
  oid: string;
  parents: readonly string[];
  files: CarriedFiles;
  work: string | undefined;
}>;

/** Of all its files, in bytes. */
const most = 128e6;

/** In a run’s folder; and the file that says whose it is. */
export const carriedName =
  /^(?:(?:plan(?:\.edit(?:\.base)?)?|replan-\d{3})\.md|owner\.json|journal\.ndjson|evidence-[^/\\\0-\x1f]{1,100}\.md)$/;

/** Anything not in pawl's format throws Failure('preflight'). `only`: one file's name. */
export async function readCarried(repo: Repo, oid: string, only?: string): Promise<CarriedTree> {
  const [commit] = await readObjects(repo, [oid]);
  if (commit?.kind !== 'commit') throw strange('it is not a commit');
  const [head = ''] = commit.body.toString('utf8').split('\n\n');
  const parents = [...head.matchAll(/^parent ([0-9a-f]+)$/gm)];
  const top = parseEntries(await repo.bytes(['ls-tree', '-z', '-l', '--full-tree', oid]));
  const work = top.find(({ file, kind }) => file === workName && kind === 'tree')?.oid;
  const entries = top.filter(({ file, kind }) => kind !== 'tree' || file !== workName);
  let bytes = 0;
  for (const { file: name, mode, number: size } of entries) {
    if (!carriedName.test(name)) throw strange(`it holds ${JSON.stringify(name)}`);
    if (mode !== '100644') throw strange(`${name} is not a plain file`);
    bytes += size;
    if (bytes > most) throw strange(`${name} is too big (${size} bytes)`);
  }
  const wanted = entries.filter(({ file }) => only === undefined || file === only);
  const objects = await readObjects(
    repo,
    wanted.map(({ oid: blob }) => blob),
  );
  const files = new Map(wanted.map(({ file }, at) => [file, objects[at]?.body ?? Buffer.alloc(0)]));
  return { oid, parents: parents.map(([, parent = '']) => parent), files, work };
}

function strange(why: string): Failure {
  return new Failure('preflight', `what the remote has of this run was not written by pawl: ${why}`, {
    hint: 'None of it was used. Anyone who may push to that remote could have put it there.',
  });
}
