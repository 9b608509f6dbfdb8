// Writes tree T with pawl's own index: tracked changes and the new files that belong.
import { matchesAny } from '../../glob.ts';
import { fewOf, joinNul, nameOf, splitNul } from '../run/names.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { type Choice, chooseFiles, mostFileBytes, type RefusedFile, type TreeRules } from './choose-files.ts';
import { statAt } from './entry.ts';
import { matchIgnored } from './ignored.ts';
import { stageChoice, writeIndexTree } from './index-file.ts';
import { findInstalled } from './installed.ts';
import { type Look, lookAtTree } from './look.ts';
import type { ChangedFile } from './raw-diff.ts';
import { readStatus, type StatusEntry } from './status.ts';
import { parseEntries } from './tree-entry.ts';

export type PlainTree = Readonly<{ tree: string; refused: readonly RefusedFile[]; look: Look }>;

/** `files`: what differs from where the work began. */
export type WrittenTree = PlainTree & Readonly<{ files: readonly ChangedFile[] }>;

/** `look`: one that is still valid; default: a new one. */
export async function writeTree(
  repo: Repo,
  index: string,
  { rules, look: known }: Readonly<{ rules: TreeRules; look?: Look | undefined }>,
): Promise<PlainTree> {
  const look = known ?? (await lookAtTree(repo, index));
  const { entries, submodules } = look;
  const [ignored, oversized, installed] = await Promise.all([
    findIgnored(repo, entries),
    findOversized(repo, entries, rules),
    findInstalled(repo, entries, rules),
  ]);
  const choice = chooseFiles({ root: repo.root, entries, rules, ignored, oversized, installed });
  const words = await stageChoice(repo, index, choice);
  return {
    tree: await writeIndexTree(repo, index),
    refused: [
      ...choice.refused,
      ...refuseSubmodules(submodules, choice, rules),
      ...(words === undefined ? [] : [refuseNotTaken(choice.stage.map(nameOf), words)]),
    ],
    look,
  };
}

/** An index file alone does not protect the tree from `git gc --prune=now`. */
export async function keepTree(repo: Repo, run: string, tree: string, name = 'tree'): Promise<void> {
  await repo.write('keep tree', ['update-ref', pawlRef(run, name), tree]);
}

/** Not ignored, one by one; a nested repository ends in a slash. */
export async function listUntracked(repo: Repo): Promise<readonly string[]> {
  return splitNul(await repo.bytes(['ls-files', '-o', '--exclude-standard', '-z'])).map(nameOf);
}

export async function listDirt(repo: Repo): Promise<readonly string[]> {
  return (await readStatus(repo, { untracked: false })).entries.map(({ file }) => file);
}

/** An earlier tree contained them, a rule now ignores them; raw names. */
async function findIgnored(repo: Repo, entries: readonly StatusEntry[]): Promise<ReadonlySet<string>> {
  const added = entries
    .filter(({ staged, kind }) => kind === 'tracked' && staged === 'A')
    .map(({ raw }) => raw);
  const isRuleChanged = entries.some(({ file }) => file === '.gitignore' || file.endsWith('/.gitignore'));
  return new Set(isRuleChanged ? await matchIgnored(repo, added) : []);
}

function refuseNotTaken(staged: readonly string[], words: string): RefusedFile {
  const [file = ''] = staged.filter((name) => words.includes(name)).sort((a, b) => b.length - a.length);
  const detail = `git does not take it in: ${words}; fix what it says, in the file or in .gitattributes`;
  return { file, why: 'git-refuses', detail };
}

/** Changes from before the run, or by a check, are not the session's. */
function refuseSubmodules(
  submodules: Look['submodules'],
  choice: Choice,
  rules: TreeRules,
): readonly RefusedFile[] {
  const known = new Set(choice.refused.map(({ file }) => file));
  return submodules.flatMap(({ file: raw, changed }) => {
    const file = nameOf(raw);
    const files = changed.map(nameOf).filter((name) => !rules.leftOut.has(name));
    if (files.length === 0 || known.has(file) || matchesAny(file, rules.include)) return [];
    const detail = `files inside the submodule changed: ${fewOf(files)}; commit them there, or put them back`;
    return { file, why: 'dirty-submodule', detail };
  });
}

const mb = 1024 * 1024;

/** By raw name, with the size in words. Runs git only if a file exceeds the limit. */
async function findOversized(
  repo: Repo,
  entries: readonly StatusEntry[],
  rules: TreeRules,
): Promise<ReadonlyMap<string, string>> {
  const sizes = new Map<string, number>();
  for (const entry of entries) {
    const size = isMeasured(entry, rules) ? sizeOf(repo, entry.raw) : 0;
    if (size > mostFileBytes) sizes.set(entry.raw, size);
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
    if (filtered.has(raw) || (old !== undefined && old > mostFileBytes)) continue;
    found.set(raw, formatSize(size, old));
  }
  return found;
}

function formatSize(size: number, old: number | undefined): string {
  const has = `has ${(size / mb).toFixed(1)} MB, more than ${mostFileBytes / mb} MB`;
  return `${has}; ${old === undefined ? 'ignore it' : 'keep it small'}, or name it in commit.include`;
}

function isMeasured({ kind, work, file, gitlink }: StatusEntry, rules: TreeRules): boolean {
  if (kind === 'ignored' || gitlink || work === 'D' || file.endsWith('/')) return false;
  const isOthers = rules.userUntracked.has(file) || rules.leftOut.has(file);
  return !isOthers && !matchesAny(file, rules.include);
}

function sizeOf(repo: Repo, raw: string): number {
  const found = statAt(repo.root, raw);
  return found?.isFile() ? found.size : 0;
}

async function readCommittedSizes(repo: Repo, raws: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const args = ['ls-tree', '-l', '-z', '--full-tree', 'HEAD', '--', ...raws.map(nameOf)];
  const entries = parseEntries(await repo.bytes(args, { okCodes: [0, 128] }));
  return new Map(entries.filter(({ kind }) => kind === 'blob').map(({ raw, number }) => [raw, number]));
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
