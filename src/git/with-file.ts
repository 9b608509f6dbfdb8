// A tree in which one file has another content, which the work tree need not have: the plan with its ticks.
import { readFileSync } from 'node:fs';
import { knownTree, writeIndexTree } from './index-file.ts';
import { joinNul, pathOf, rawOf } from './names.ts';
import type { Repo } from './repo.ts';
import { statAt } from './stat-at.ts';
import { blobId, writeLooseBlob } from './write-loose.ts';

/** Tree of the index with one file's content replaced; the index holds that content from then on, until the next `writeTree` reads the work tree again. */
export async function withFile(
  repo: Repo,
  index: string,
  file: string,
  content: Uint8Array,
): Promise<string> {
  const raw = rawOf(file);
  const mode = ((statAt(repo.root, raw)?.mode ?? 0) & 0o100) !== 0 ? '100755' : '100644';
  const blob = writePlainBlob(repo, index, raw, content) ?? (await hashFile(repo, file, content));
  await repo.write('replace file', ['update-index', '-z', '--add', '--replace', '--index-info'], {
    index,
    input: joinNul([`${mode} ${blob} 0\t${raw}`]),
  });
  return writeIndexTree(repo, index);
}

async function hashFile(repo: Repo, file: string, content: Uint8Array): Promise<string> {
  const args = ['hash-object', '-w', '--stdin', `--path=${file}`];
  return (await repo.write('write file', args, { input: content })).trim();
}

/** The content as an object, where git would take it as it is; undefined: git has to judge and write it. */
function writePlainBlob(repo: Repo, index: string, raw: string, content: Uint8Array): string | undefined {
  const oidBytes = (knownTree(repo, index)?.length ?? 0) / 2;
  if (oidBytes === 0 || !isTakenAsItIs(repo, index, raw, oidBytes)) return undefined;
  return writeLooseBlob(repo, content, oidBytes);
}

/** Whether an index holds a file byte for byte as the work tree does: no filter, line end or encoding of git's stands between them. */
function isTakenAsItIs(repo: Repo, index: string, raw: string, oidBytes: number): boolean {
  if (!statAt(repo.root, raw)?.isFile()) return false;
  const oid = blobId(readFileSync(pathOf(repo.root, raw)), oidBytes);
  return holdsEntry(readFileSync(index), Buffer.from(oid, 'hex'), raw);
}

/** Whether an index of version 2 or 3 has this object under this name (index-format.txt): id, flags, name, NUL. */
export function holdsEntry(index: Buffer, oid: Buffer, raw: string): boolean {
  const name = Buffer.from(`${raw}\0`, 'latin1');
  for (let at = index.indexOf(oid); at >= 0; at = index.indexOf(oid, at + 1)) {
    const flags = at + oid.length;
    // Nothing but the name's length: no stage of a merge, no flag that hides it from git, no longer entry.
    const isPlain = index.length > flags + 2 && index.readUInt16BE(flags) === Math.min(raw.length, 0xfff);
    if (isPlain && index.subarray(flags + 2, flags + 2 + name.length).equals(name)) return true;
  }
  return false;
}
