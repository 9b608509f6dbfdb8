// Tracked files in which a filter, an encoding or line ends lose something: rescue points hold them byte for byte.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfigs, type Watched } from '../protect/protected-files.ts';
import { hasAttributeFiles, readFlags } from '../protect/snapshot.ts';
import { joinNul, nameOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import type { StatusEntry } from '../tree/status.ts';
import {
  type ExactFile,
  findInexact,
  hashBytes,
  hashOf,
  readExact,
  storeExact,
  writeExact,
} from './exact-files.ts';

/**
 * By raw name, with the index's blob. Those of `changed` are compared whatever converts them; the others only if
 * filtered, since only a filter can lose more than a spelling.
 */
export async function findLossy(
  repo: Repo,
  index: string,
  changed: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const isChanged = new Set(changed);
  const lossy = new Map<string, string>();
  if (!(await mayConvert(repo))) return lossy;
  const oids = await listBlobs(repo, index);
  const input = joinNul([...oids.keys()]);
  const fields = splitNul(await repo.bytes(['check-attr', '-z', '--stdin', 'filter'], { index, input }));
  const files = [...oids].flatMap(([raw, oid], at) => {
    const filter = fields[at * 3 + 2] ?? '';
    if (storing.has(filter) || (unfiltered.has(filter) && !isChanged.has(raw))) return [];
    const now = hashOf(repo, nameOf(raw), oid);
    return now === undefined || (now === oid && !isChanged.has(raw)) ? [] : [{ raw, oid, now }];
  });
  const again = await hashCheckedOut(repo, files);
  for (const [at, { raw, oid, now }] of files.entries()) if (again[at] !== now) lossy.set(raw, oid);
  return lossy;
}

export async function storeLossy(
  repo: Repo,
  index: string,
  { entries, held }: Readonly<{ entries: readonly StatusEntry[]; held: readonly ExactFile[] }>,
): Promise<readonly ExactFile[]> {
  const changed = entries.filter(({ kind }) => kind === 'tracked').map(({ raw }) => raw);
  const lossy = await findLossy(repo, index, changed);
  const isHeld = new Set(held.map(({ file }) => rawOf(file)));
  const raws = [...lossy.keys()].filter((raw) => !isHeld.has(raw));
  return (await storeExact(repo, raws)).map((one) => ({ ...one, clean: lossy.get(rawOf(one.file)) }));
}

/** Filters that keep content outside git's objects; a copy would be as large. */
const storing = new Set(['lfs', 'annex']);
const unfiltered = new Set(['unspecified', 'unset', 'set', '']);

async function mayConvert(repo: Repo): Promise<boolean> {
  const { HOME = '', XDG_CONFIG_HOME = path.join(HOME, '.config') } = repo.env;
  const files = [
    path.join(repo.root, '.gitattributes'),
    path.join(repo.commonDir, 'info', 'attributes'),
    path.join(XDG_CONFIG_HOME, 'git', 'attributes'),
  ];
  const isSet = ({ entry }: Watched) =>
    entry.kind === 'file' && /attributesfile|autocrlf/i.test(entry.bytes.toString('utf8'));
  return files.some((file) => existsSync(file)) || readConfigs(repo).some(isSet) || hasAttributeFiles(repo);
}

async function listBlobs(repo: Repo, index: string): Promise<ReadonlyMap<string, string>> {
  const listed = splitNul(await repo.bytes(['ls-files', '-s', '-z'], { index }));
  return new Map(
    listed.flatMap((line) => {
      const [, oid = '', raw] = /^100\d+ ([0-9a-f]+) 0\t(.*)$/s.exec(line) ?? [];
      return raw === undefined ? [] : [[raw, oid] as const];
    }),
  );
}

/** Blob names of what git would write into the work tree; fewer if a required filter fails. */
async function hashCheckedOut(
  repo: Repo,
  blobs: readonly Readonly<{ raw: string; oid: string }>[],
): Promise<readonly string[]> {
  if (blobs.length === 0) return [];
  // The sizes that it prints are those before conversion.
  const mark = `${randomUUID()}\n`;
  const input = joinNul(blobs.map(({ raw, oid }) => `${oid} ${raw}`));
  const args = ['cat-file', `--batch=${mark.trim()}`, '--filters', '-z'];
  const printed = await repo.bytes(args, { input, okCodes: [0, 128] });
  const starts: number[] = [];
  for (let at = printed.indexOf(mark); at >= 0; at = printed.indexOf(mark, at + 1)) starts.push(at);
  // Each ends in a newline that is not its own.
  return starts.map((start, at) =>
    hashBytes(
      printed.subarray(start + mark.length, (starts[at + 1] ?? printed.length) - 1),
      blobs[at]?.oid ?? '',
    ),
  );
}

/** Files that git was told not to look at, and rewritten ones that now have what git had made of theirs. */
export async function restoreHeld(
  repo: Repo,
  {
    point,
    index,
    raws,
    stay,
  }: Readonly<{
    point: string;
    index: string;
    raws: readonly string[];
    stay: ReadonlySet<string> | undefined;
  }>,
): Promise<void> {
  const flags = await readFlags(repo);
  const held = (await readExact(repo, point)).filter(({ file }) => !stay?.has(file));
  const oids = held.some(({ clean }) => clean !== undefined) ? await listBlobs(repo, index) : new Map();
  const rewritten = new Set(raws);
  const back = held.filter(({ file, clean }) => {
    const raw = rawOf(file);
    return flags.has(raw) || (clean !== undefined && rewritten.has(raw) && oids.get(raw) === clean);
  });
  await writeExact(repo, findInexact(repo, back));
}
