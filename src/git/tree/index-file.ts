// pawl's own index files, kept for their stat information, changing an index's entries, and what git said of one.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import { copyFile, makeFolder, moveFile, removeFile } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { joinNul, type RawName } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import type { Choice } from './choose-files.ts';
import type { TreeEntry } from './tree-entry.ts';

/** Makes it, if missing, with the flags of the repository's and a tree's entries (undefined: none). */
export async function readyIndex(repo: Repo, index: string, treeish: string | undefined): Promise<void> {
  removeLock(index);
  if (existsSync(index)) return;
  makeFolder(path.dirname(index));
  // Under another name, so that a half-written index never exists.
  const made = `${index}.new`;
  replaceIndex(path.join(repo.gitDir, 'index'), made);
  await setIndex(repo, treeish, made);
  moveFile(made, index);
}

/** `treeish` undefined: empty. The work tree stays; unchanged entries keep stat information and flags. */
export async function setIndex(repo: Repo, treeish: string | undefined, index?: string): Promise<void> {
  // Without -i, a file that git was told not to look at would have to match the index.
  const base = treeish === undefined ? ['--empty'] : ['-i', '--reset', treeish];
  await repo.write('set index', ['read-tree', ...base], defined({ index }));
}

/** Index and work tree of a ground, whatever they hold; filters must not download. */
export async function fillTree(repo: Repo, treeish: string): Promise<void> {
  await repo.write('fill ground', ['read-tree', '--reset', '-u', treeish], {
    env: { GIT_LFS_SKIP_SMUDGE: '1' },
    index: path.join(repo.gitDir, 'index'),
  });
}

/** Index and work tree. False if git refuses, as that would lose something: of ignored files it does not ask. */
export async function moveTree(
  repo: Repo,
  index: string,
  { from, to }: Readonly<{ from: string; to: string }>,
): Promise<boolean> {
  try {
    await repo.write('move tree', ['read-tree', '-m', '-u', from, to], { index });
    return true;
  } catch {
    return false;
  }
}

/**
 * With its timestamp, which git compares with files' in whole seconds (2.39 as Debian builds it), to know which may
 * have changed.
 */
export function replaceIndex(from: string, to: string): void {
  removeLock(to);
  if (existsSync(from)) copyFile(from, to);
}

/** Never half of it. */
export function copyIndex(from: string, to: string): void {
  removeLock(to);
  replaceIndex(from, `${to}.new`);
  moveFile(`${to}.new`, to, { isSynced: false });
}

/** As in the work tree, even where a folder or another file was. Raw names. */
export async function stageFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  await repo.write('stage', args, { index, input: joinNul(raws) });
}

/** Whatever the work tree holds; the only way for one below what is now a symlink. Raw names. */
export async function unstageFiles(repo: Repo, index: string, raws: readonly string[]): Promise<void> {
  if (raws.length === 0) return;
  const args = ['update-index', '-z', '--force-remove', '--stdin'];
  await repo.write('unstage', args, { index, input: joinNul(raws) });
}

export async function putEntries(
  repo: Repo,
  index: string,
  entries: readonly (Pick<RawName, 'raw'> & TreeEntry)[],
): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.map(({ raw, mode, oid }) => `${mode} ${oid} 0\t${raw}`);
  const args = ['update-index', '-z', '--index-info'];
  await repo.write('put entries', args, { index, input: joinNul(lines) });
}

export function writeIndexTree(repo: Repo, index: string): Promise<string> {
  const write = async () => (await repo.write('write tree', ['write-tree'], { index })).trim();
  return ofIndex(repo, index, { what: 'tree', ask: () => refresh(repo, index, write) });
}

/** By folder and digest: what git said of an index is true of it until its bytes change. */
const answers = new Map<string, Map<string, unknown>>();

const mostIndexes = 64;

/** Asks git once. `index`: default the repository's. */
export async function ofIndex<T>(
  repo: Repo,
  index: string | undefined,
  { what, ask }: Readonly<{ what: string; ask: () => Promise<T> }>,
): Promise<T> {
  const file = index ?? path.join(repo.gitDir, 'index');
  const known = answersOf(repo, file);
  if (known.has(what)) return known.get(what) as T;
  const answer = await ask();
  if (answersOf(repo, file) === known) known.set(what, answer);
  return answer;
}

/** Of an index as it is now. */
export function answersOf(repo: Repo, index: string): Map<string, unknown> {
  const key = keyOf(repo, index);
  const known = answers.get(key ?? '') ?? new Map<string, unknown>();
  if (key !== undefined) remember(key, known);
  return known;
}

export function stagedSince(commit: string): string {
  return `staged since ${commit}`;
}

/** `act` changes the bytes of an index of pawl's own, but not what they say. */
export async function refresh<T>(repo: Repo, index: string, act: () => Promise<T>): Promise<T> {
  const known = answersOf(repo, index);
  const done = await act();
  const now = keyOf(repo, index);
  if (now !== undefined) remember(now, known);
  return done;
}

function remember(key: string, known: Map<string, unknown>): void {
  answers.delete(key);
  answers.set(key, known);
  for (const old of [...answers.keys()].slice(0, -mostIndexes)) answers.delete(old);
}

function keyOf({ gitDir }: Repo, file: string): string | undefined {
  const read = () => `${gitDir} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`;
  return orElse(() => (lstatSync(file).isFile() ? read() : undefined), undefined);
}

export async function withCopy<T>(
  index: string,
  suffix: string,
  act: (copy: string) => Promise<T>,
): Promise<T> {
  const copy = `${index}.${suffix}`;
  makeFolder(path.dirname(copy));
  removeFile(copy);
  replaceIndex(index, copy);
  try {
    return await act(copy);
  } finally {
    removeFile(copy);
  }
}

/** Each of pawl's index files has one user at a time, so an earlier lock is a dead git's. */
function removeLock(index: string): void {
  if (existsSync(`${index}.lock`)) removeFile(`${index}.lock`);
}

/** Raw names; returns what git says against one of them. */
export async function stageChoice(
  repo: Repo,
  index: string,
  { stage, unstage }: Pick<Choice, 'stage' | 'unstage'>,
): Promise<string | undefined> {
  await unstageFiles(repo, index, unstage);
  try {
    await stageFiles(repo, index, stage);
    return undefined;
  } catch (error) {
    const failure = asFailure(error);
    const [, words = ''] = /^git update-index failed: (.*)$/s.exec(failure?.message ?? '') ?? [];
    if (failure?.code === 'git' && againstFile.test(words)) return words;
    throw error;
  }
}

/** git 2.39's words against a file itself, not about locks, disks and filters. */
const againstFile =
  /^failed to encode |^BOM is (?:prohibited|required) |are no valid working-tree-encodings|would be replaced by (?:CR)?LF|^open\(".*"\): Permission denied/;
