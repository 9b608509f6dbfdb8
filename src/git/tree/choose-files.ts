// Decides which files belong to tree T and which are refused. Stages nothing.
import { closeSync, constants, existsSync, openSync, readlinkSync, readSync } from 'node:fs';
import type { FactOf } from '../../event.ts';
import { matchesAny } from '../../glob.ts';
import { foldersOf, pathOf, type RawName } from '../run/names.ts';
import { statAt } from './entry.ts';
import { judgeSecret } from './secret.ts';
import type { StatusEntry } from './status.ts';

export type TreeRules = Readonly<{
  /** Untracked at the run's start: never staged. */
  userUntracked: ReadonlySet<string>;
  /** New files that are not work, such as a check's: never staged. */
  leftOut: ReadonlySet<string>;
  /** `commit.include`: no rule refuses these, even if secret or big, or the user's or a check's. */
  include: readonly string[];
  /** Why a file of this name must not be committed; undefined: it may. */
  forbids?: ((file: string) => string | undefined) | undefined;
}>;

export type RefusedFile = Readonly<{ file: string; why: FactOf<'file-refused'>['why']; detail: string }>;

/** Raw names for the index, and what was refused. */
export type Choice = Readonly<{
  stage: readonly string[];
  unstage: readonly string[];
  refused: readonly RefusedFile[];
}>;

export type ChoiceFacts = Readonly<{
  root: string;
  entries: readonly StatusEntry[];
  rules: TreeRules;
  /** Raw names in the index that are ignored by now. */
  ignored: ReadonlySet<string>;
  /** By raw name, with their size in words. */
  oversized: ReadonlyMap<string, string>;
  /** New files in a folder of installed or compiled ones, with it; raw names. */
  installed: ReadonlyMap<string, string>;
}>;

/** Of new files, and of smaller ones that grow. */
export const mostFileBytes = 10 * 1024 * 1024;

/** Of a new file, searched for secrets. */
const headBytes = 256 * 1024;

export function chooseFiles(facts: ChoiceFacts): Choice {
  const stage: string[] = [];
  const unstage: string[] = [];
  const refused = new Map<string, RefusedFile>();
  const refuse = (found: RefusedFile | undefined): boolean => {
    if (found) refused.set(`${found.why} ${found.file}`, found);
    return found !== undefined;
  };
  for (const entry of facts.entries) {
    if (entry.kind === 'ignored') continue;
    refuse(findNested(facts, entry));
    const verdict = judgeEntry(facts, entry, refuse);
    const isGone = entry.kind === 'tracked' && entry.work === 'D' && !entry.gitlink;
    if (isGone || (verdict === 'leave' && entry.staged === 'A')) unstage.push(entry.raw);
    else if (verdict === 'stage' && (entry.kind !== 'tracked' || entry.work !== '.')) stage.push(entry.raw);
  }
  return { stage, unstage, refused: [...refused.values()] };
}

function judgeEntry(
  facts: ChoiceFacts,
  entry: StatusEntry,
  refuse: (found: RefusedFile | undefined) => boolean,
): 'stage' | 'leave' {
  const { rules, ignored } = facts;
  if (entry.gitlink) {
    const detail = 'the submodule is at another commit; commit it by hand, or put it back';
    if (entry.work !== '.' && !matchesAny(entry.file, rules.include))
      refuse({ file: entry.file, why: 'dirty-submodule', detail });
    return 'leave';
  }
  if (entry.work === 'D') return 'stage';
  if (refuse(judgeKind(facts, entry)) || refuse(judgeName(facts, entry))) return 'leave';
  const isNew = entry.kind === 'untracked' || entry.staged === 'A';
  if (!isNew) return refuse(judgeSize(facts, entry)) ? 'leave' : 'stage';
  if (ignored.has(entry.raw)) return 'leave';
  const isOthers = rules.userUntracked.has(entry.file) || rules.leftOut.has(entry.file);
  if (isOthers && !matchesAny(entry.file, rules.include)) return 'leave';
  if (entry.file.endsWith('/')) {
    if (!matchesAny(entry.file, rules.include)) refuse(nestedAt(entry.file.slice(0, -1)));
    return 'leave';
  }
  if (matchesAny(entry.file, rules.include)) return 'stage';
  if (refuse(judgeInstalled(facts, entry))) return 'leave';
  const isInNested = foldersOf(entry.raw).some((folder) => existsSync(gitFolder(facts.root, folder)));
  return isInNested || refuse(judgeNewFile(facts, entry)) ? 'leave' : 'stage';
}

function judgeInstalled({ installed }: ChoiceFacts, { raw }: RawName): RefusedFile | undefined {
  const folder = installed.get(raw);
  if (folder === undefined) return undefined;
  const detail = 'holds what was installed or compiled; ignore the folder, or name it in commit.include';
  return { file: `${folder}/`, why: 'installed', detail };
}

/** A pipe or socket in the place of a tracked file. git does not see new ones. */
function judgeKind({ root }: ChoiceFacts, { raw, file }: RawName): RefusedFile | undefined {
  const found = statAt(root, raw);
  if (!found || found.isFile() || found.isSymbolicLink() || found.isDirectory()) return undefined;
  const detail = `is a ${found.isFIFO() ? 'pipe' : found.isSocket() ? 'socket' : 'device'} now, which git cannot hold; make it a file again, or remove it`;
  return { file, why: 'special-file', detail };
}

/** Also of a committed file. */
function judgeName({ rules }: ChoiceFacts, entry: StatusEntry): RefusedFile | undefined {
  const { file } = entry;
  const isSame = entry.kind === 'tracked' && entry.work === '.' && entry.staged !== 'A';
  if (isSame || rules.userUntracked.has(file) || matchesAny(file, rules.include)) return undefined;
  const detail = rules.forbids?.(file);
  return detail === undefined ? undefined : { file, why: 'host-program', detail };
}

function judgeNewFile(facts: ChoiceFacts, entry: RawName): RefusedFile | undefined {
  const { file } = entry;
  const big = judgeSize(facts, entry);
  if (big) return big;
  const where = pathOf(facts.root, entry.raw);
  const found = statAt(facts.root, entry.raw);
  if (!found) return undefined;
  const head = found.isSymbolicLink() ? readlinkSync(where, 'buffer') : readHead(where);
  const secret = judgeSecret(file, head);
  return secret ? { file, ...secret } : undefined;
}

function judgeSize({ oversized }: ChoiceFacts, { raw, file }: RawName): RefusedFile | undefined {
  const detail = oversized.get(raw);
  return detail === undefined ? undefined : { file, why: 'too-big', detail };
}

/** The folder of a changed file has become a repository. */
function findNested(facts: ChoiceFacts, entry: StatusEntry): RefusedFile | undefined {
  if (facts.rules.userUntracked.has(entry.file)) return undefined;
  const folders = foldersOf(entry.raw);
  const at = folders.findIndex((folder) => existsSync(gitFolder(facts.root, folder)));
  const nested = foldersOf(entry.file)[at];
  if (at < 0 || nested === undefined || matchesAny(`${nested}/`, facts.rules.include)) return undefined;
  return nestedAt(nested);
}

function nestedAt(folder: string): RefusedFile {
  const detail = `is a nested repository; remove ${folder}/.git, or ignore the folder`;
  return { file: `${folder}/`, why: 'nested-repository', detail };
}

function gitFolder(root: string, raw: string): string | Buffer {
  return pathOf(root, `${raw}/.git`);
}

function readHead(where: string | Buffer): Uint8Array {
  try {
    // One that has become a pipe would block.
    const fd = openSync(where, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const head = Buffer.alloc(headBytes);
      return head.subarray(0, readSync(fd, head, 0, headBytes, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return new Uint8Array();
  }
}
