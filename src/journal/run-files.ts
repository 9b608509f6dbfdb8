// Where a repository's runs, locks and grounds are.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';
import { Tail } from '../tail.ts';

export const journalFile = 'journal.ndjson';

export function runsFolder(commonDir: string): string {
  return path.join(commonDir, 'pawl', 'runs');
}

export function lockFile(gitDir: string): string {
  return path.join(gitDir, 'pawl', 'lock');
}

export function groundsFolder(home: string): string {
  return path.join(home, 'pawl', 'grounds');
}

/** In a ground's registration: names its working tree. */
export const groundRootFile = 'root';

/** Undefined if not known yet. */
export function groundRoot(folder: string): string | undefined {
  return orElse(() => readFileSync(path.join(folder, groundRootFile), 'utf8'), undefined);
}

/** Of linked working trees, and of pawl's grounds. */
export function otherGitDirs(commonDir: string): readonly string[] {
  const linked = foldersIn(path.join(commonDir, 'worktrees'));
  const grounds = foldersIn(groundsFolder(commonDir)).flatMap((folder) => groundRoot(folder) ?? []);
  return [...linked, ...grounds.map((root) => path.join(root, '.git'))];
}

function foldersIn(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []).map((name) => path.join(folder, name));
}

/** A run as a word may name it, by its journal's first line. `plan`: from the root, or absolute. `isAside`: on no plan. */
export type NamedRun = Readonly<{ run: string; plan: string; isAside: boolean }>;

/** Newest first, read without schemas. */
export function listNamedRuns(commonDir: string): readonly NamedRun[] {
  const names = orElse(() => readdirSync(runsFolder(commonDir)), []);
  return names
    .sort()
    .reverse()
    .flatMap((run) => orElse(() => readName(path.join(runsFolder(commonDir), run)), []));
}

function readName(folder: string): NamedRun | [] {
  const file = path.join(folder, journalFile);
  // A pipe in its place would be waited for.
  if (!lstatSync(file).isFile()) return [];
  const first = JSON.parse(readFirstLine(file));
  if (first.type !== 'run-started') return [];
  return {
    run: path.basename(folder),
    plan: first.plan,
    isAside: first.review !== undefined || first.planning !== undefined,
  };
}

/** A journal may be megabytes long, and is one of many. Empty without a whole line. */
export function readFirstLine(file: string): string {
  return new Tail(file).next() ?? '';
}
