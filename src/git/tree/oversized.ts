// Files too big to commit: new or grown, unless a git filter handles them.

import { joinNul, nameOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import type { TreeRules } from './choose-files.ts';
import { statAt } from './entry.ts';
import { matchesAny } from './glob.ts';
import type { StatusEntry } from './status.ts';

const mb = 1024 * 1024;

/** By raw name, with the size in words. Runs git only if a file exceeds the limit. */
export async function findOversized(
  repo: Repo,
  entries: readonly StatusEntry[],
  rules: TreeRules,
): Promise<ReadonlyMap<string, string>> {
  const most = rules.maxFileMb * mb;
  const sizes = new Map<string, number>();
  for (const entry of entries) {
    const size = isMeasured(entry, rules) ? sizeOf(repo, entry.raw) : 0;
    if (size > most) sizes.set(entry.raw, size);
  }
  if (sizes.size === 0) return new Map();
  const [committed, filtered] = await Promise.all([
    readCommittedSizes(repo, [...sizes.keys()]),
    findFiltered(repo, [...sizes.keys()]),
  ]);
  const found = new Map<string, string>();
  for (const [raw, size] of sizes) {
    const old = committed.get(raw);
    // One committed above the limit may still be worked on.
    if (filtered.has(raw) || (old !== undefined && old > most)) continue;
    found.set(raw, formatSize({ old, size, most }));
  }
  return found;
}

function formatSize({ old, size, most }: { old: number | undefined; size: number; most: number }): string {
  const has = `has ${(size / mb).toFixed(1)} MB, more than ${most / mb} MB`;
  return `${has}; ${old === undefined ? 'ignore it' : 'keep it small'}, or name it in commit.include`;
}

function isMeasured({ kind, work, file, gitlink }: StatusEntry, rules: TreeRules): boolean {
  if (kind === 'ignored' || gitlink || work === 'D' || file.endsWith('/')) return false;
  const isOthers = rules.userUntracked.has(file) || rules.leftOut.has(file);
  return (!isOthers || matchesAny(file, rules.include)) && !matchesAny(file, rules.allow);
}

function sizeOf(repo: Repo, raw: string): number {
  const found = statAt(repo.root, raw);
  return found?.isFile() ? found.size : 0;
}

async function readCommittedSizes(repo: Repo, raws: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const args = ['ls-tree', '-l', '-z', '--full-tree', 'HEAD', '--', ...raws.map(nameOf)];
  const lines = splitNul(await repo.bytes(args, { okCodes: [0, 128] }));
  return new Map(
    lines.flatMap((line) => {
      const [, size, raw] = /^\d+ blob [0-9a-f]+ +(\d+)\t(.*)$/s.exec(line) ?? [];
      return raw === undefined ? [] : [[raw, Number(size)] as const];
    }),
  );
}

/** By the user's filters; raw names. */
async function findFiltered(repo: Repo, raws: readonly string[]): Promise<ReadonlySet<string>> {
  const [told, configured] = await Promise.all([
    repo.bytes(['check-attr', '-z', '--stdin', 'filter'], { input: joinNul(raws) }),
    repo.bytes(['config', '-z', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|process)$'], {
      okCodes: [0, 1],
    }),
  ]);
  const filters = new Set(splitNul(configured).map((key) => key.replace(/^filter\.(.*)\.\w+$/s, '$1')));
  const fields = splitNul(told);
  return new Set(fields.filter((_, at) => at % 3 === 0 && filters.has(fields[at + 2] ?? '')));
}
