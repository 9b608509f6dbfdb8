// Tracked files in which a filter, an encoding or line ends lose something: rescue points hold them byte for byte.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readConfigs, type Watched } from '../protect/protected-files.ts';
import { joinNul, nameOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { stampAt } from '../tree/entry.ts';
import { listMarks } from '../tree/flags.ts';
import { listIndex } from '../tree/tree-entry.ts';
import { type ExactFile, hashBytes, hashOf, storeExact } from './exact-files.ts';

/**
 * Those that git would not check out as they are, by raw name, with the index's blob. `filters`: only what filters
 * lose, not spelling.
 */
export async function findLossy(
  repo: Repo,
  index: string,
  { filters = false }: Readonly<{ filters?: boolean }> = {},
): Promise<ReadonlyMap<string, string>> {
  const before = judged.get(repo) ?? new Map<string, LossVerdict>();
  judged.set(repo, before);
  const found = (await listConverted(repo, index)).filter(({ isFiltered }) => isFiltered || !filters);
  const unsure: (Blob & LossVerdict & Readonly<{ now: string }>)[] = [];
  for (const blob of found) {
    const { raw, oid, how, expands } = blob;
    const key = `${stampAt(repo.root, raw)} ${oid} ${how}`;
    if (before.get(raw)?.key === key) continue;
    const now = hashOf(repo, nameOf(raw), oid);
    if (now !== undefined && expands) unsure.push({ ...blob, key, now, isLossy: true });
    else before.set(raw, { key, isLossy: now !== undefined && now !== oid });
  }
  for (let at = 0; at < unsure.length; at += atOnce) {
    const some = unsure.slice(at, at + atOnce);
    const again = await hashCheckedOut(repo, some);
    for (const [at, { raw, key, now }] of some.entries())
      before.set(raw, { key, isLossy: again[at] !== now });
  }
  return new Map(found.flatMap(({ raw, oid }) => (before.get(raw)?.isLossy ? [[raw, oid]] : [])));
}

/** `key`: another one if file, blob or attributes differ. */
type LossVerdict = Readonly<{ key: string; isLossy: boolean }>;

const judged = new WeakMap<Repo, Map<string, LossVerdict>>();

/** Blobs whose content is in memory at the same time. */
const atOnce = 500;

export async function storeLossy(
  repo: Repo,
  index: string,
  held: readonly ExactFile[],
): Promise<readonly ExactFile[]> {
  const lossy = await findLossy(repo, index);
  const isHeld = new Set(held.map(({ file }) => rawOf(file)));
  const raws = [...lossy.keys()].filter((raw) => !isHeld.has(raw));
  return (await storeExact(repo, raws)).map((one) => ({ ...one, clean: lossy.get(rawOf(one.file)) }));
}

/** Filters that keep content outside git's objects; a copy would be as large. */
const storing = new Set(['lfs', 'annex']);

const attributes = ['filter', 'ident', 'working-tree-encoding', 'eol', 'text', 'crlf'] as const;

/** `how`: its attributes; `expands`: a check-out may write something else than the blob. */
type Blob = Readonly<{ raw: string; oid: string; how: string; isFiltered: boolean; expands: boolean }>;

async function listConverted(repo: Repo, index: string): Promise<readonly Blob[]> {
  const isAuto = isSetInConfig(repo, /\b(autocrlf|eol)\b/i);
  if (!isAuto && !(await hasAttributes(repo))) return [];
  const oids = await listBlobs(repo, index);
  const input = joinNul([...oids.keys()]);
  const told = splitNul(await repo.bytes(['check-attr', '-z', '--stdin', ...attributes], { index, input }));
  return [...oids].flatMap(([raw, oid], file) => {
    const values = attributes.map((_, at) => told[(file * attributes.length + at) * 3 + 2] ?? '');
    const [filter = '', ident = '', encoding = '', eol = '', text = ''] = values;
    const byConfig = isAuto && text !== 'unset';
    if (storing.has(filter) || (values.every(isOff) && !byConfig)) return [];
    const expands = ![filter, ident, encoding].every(isOff) || eol === 'crlf' || (byConfig && eol !== 'lf');
    return { raw, oid, how: values.join(), isFiltered: !isOff(filter), expands };
  });
}

function isOff(value: string): boolean {
  return value === 'unspecified' || value === 'unset';
}

async function hasAttributes(repo: Repo): Promise<boolean> {
  const { HOME = '', XDG_CONFIG_HOME = path.join(HOME, '.config') } = repo.env;
  const files = [
    path.join(repo.root, '.gitattributes'),
    path.join(repo.commonDir, 'info', 'attributes'),
    path.join(XDG_CONFIG_HOME, 'git', 'attributes'),
  ];
  return (
    files.some((file) => existsSync(file)) ||
    isSetInConfig(repo, /attributesfile/i) ||
    (await listMarks(repo)).hasAttributes
  );
}

function isSetInConfig(repo: Repo, key: RegExp): boolean {
  const isSet = ({ entry }: Watched) => entry.kind === 'file' && key.test(entry.bytes.toString('utf8'));
  return readConfigs(repo).some(isSet);
}

/** Regular files of an index, by raw name. */
export async function listBlobs(repo: Repo, index: string): Promise<ReadonlyMap<string, string>> {
  const files = (await listIndex(repo, index)).filter(
    ({ mode, number }) => mode.startsWith('100') && number === 0,
  );
  return new Map(files.map(({ raw, oid }) => [raw, oid]));
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
