// Names of the ignored files that existed when the run began: no tree holds them, so this is how their removal by a session
// is noticed. Kept in a small file beside the index. A folder that is ignored as a whole is one name; its files are listed
// too if they are few.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../parse-json.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { foldersOf, nameOf, pathOf } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { statAt } from './entry.ts';
import { isFilledByTool } from './installed.ts';
import type { Look } from './look.ts';

/**
 * Records, for `index`, what a look found ignored, without what tools fill and builds make. Call it before the first
 * session.
 */
export function recordIgnored(repo: Repo, index: string, { ignored }: Pick<Look, 'ignored'>): void {
  const names = ignored.map(({ raw }) => raw).filter((raw) => !isMade(repo, raw));
  const below = names.filter((raw) => raw.endsWith('/')).flatMap((raw) => listBelow(repo, raw));
  writeNames(index, [
    ...new Set([...names, ...below.filter((raw) => !isMade(repo, raw)).slice(0, mostBelow)]),
  ]);
}

/** The recorded names that are gone; empty if nothing was recorded for `index`. */
export function goneIgnored(repo: Pick<Repo, 'root'>, index: string): readonly string[] {
  const gone = goneOf(repo, readNames(index));
  const folders = new Set(gone.filter((raw) => raw.endsWith('/')));
  // Once a folder is gone, its files are too.
  const isAlone = (raw: string): boolean =>
    !foldersOf(raw.replace(/\/$/, '')).some((above) => folders.has(`${above}/`));
  return gone.filter(isAlone).map(nameOf);
}

/** Limits for all ignored folders together and for each: a bigger one belongs to a tool. */
const mostBelow = 2_000;
const mostInFolder = 200;

/** The files of a folder; none if there are many, or if a tool hides the folder from people. */
function listBelow({ root }: Pick<Repo, 'root'>, folder: string): readonly string[] {
  if (/(?:^|\/)\./.test(folder)) return [];
  const files: string[] = [];
  const open = [folder];
  for (const at of open) {
    for (const entry of readFolder(pathOf(root, at)))
      (entry.isDirectory() ? open : files).push(`${at}${entry.name}${entry.isDirectory() ? '/' : ''}`);
    if (files.length + open.length > mostInFolder) return [];
  }
  return files;
}

/** Stops reporting what is gone now. */
export function acceptIgnored(repo: Pick<Repo, 'root'>, index: string): void {
  const names = readNames(index);
  const gone = new Set(goneOf(repo, names));
  if (gone.size > 0)
    writeNames(
      index,
      names.filter((raw) => !gone.has(raw)),
    );
}

/** An unreadable folder counts as empty. */
function readFolder(folder: string | Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' });
  } catch {
    return [];
  }
}

function goneOf({ root }: Pick<Repo, 'root'>, names: readonly string[]): readonly string[] {
  return names.filter((raw) => statAt(root, raw.replace(/\/$/, '')) === undefined);
}

/** Whether a tool recreates it when it is needed. */
function isMade(repo: Pick<Repo, 'root'>, raw: string): boolean {
  const folders = foldersOf(raw);
  const isBuilt = folders.some((folder) => built.test(path.posix.basename(folder)));
  return isBuilt || products.test(raw) || folders.some((folder) => isFilledByTool(repo, folder));
}

const built = /^(?:dist|build|out|target|coverage|obj|tmp|temp|logs?)$/;
const products = /(?:\.(?:o|a|so|obj|pyc|class|log|tmp|swp|tsbuildinfo|eslintcache)|~|(?:^|\/)\.DS_Store)$/;

function readNames(index: string): readonly string[] {
  try {
    const found = parseJson(readFileSync(recordOf(index), 'utf8'));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function writeNames(index: string, names: readonly string[]): void {
  writeFileAtomic(recordOf(index), JSON.stringify(names), 0o600);
}

function recordOf(index: string): string {
  return `${index}.ignored.json`;
}
