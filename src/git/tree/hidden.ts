// Files that git ignores now but that the rules of an earlier moment would not have ignored. Those rules are kept in a
// folder of their own: every `.gitignore` at its path, and the user's own ignore file.
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../../disk.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { foldersOf, joinNul, nameOf, pathOf, rawOf, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { isFilledByTool } from './installed.ts';
import type { Look } from './look.ts';

/** Saves the current ignore rules, replacing an existing folder. `.git/info/exclude` is guarded, and used as it is. */
export async function keepIgnoreRules(repo: Repo, folder: string): Promise<void> {
  removeOwnFolder(folder);
  makeFolder(path.join(folder, 'tree'), 0o700);
  const pathspec = ['--', ':(glob)**/.gitignore'];
  const listed = await repo.bytes(['ls-files', '-c', '-o', '-z', '--exclude-standard', ...pathspec]);
  for (const file of splitNul(listed).map(nameOf)) takeIgnoreRules(repo, folder, file);
  const own = readFile(await findOwnRules(repo));
  if (own) writeFileAtomic(path.join(folder, 'own'), own, 0o600);
}

/** Saves one `.gitignore` as it is now, even if it is gone. */
export function takeIgnoreRules({ root }: Pick<Repo, 'root'>, folder: string, file: string): void {
  const kept = path.join(folder, 'tree', file);
  const bytes = readFile(path.join(root, file)) ?? Buffer.alloc(0);
  makeFolder(path.dirname(kept), 0o700);
  writeFileAtomic(kept, bytes, 0o600);
}

/**
 * What is hidden: names as git lists them (a folder without tracked files is one name, with a trailing slash), and every
 * file.
 */
export type Hidden = Readonly<{ names: readonly string[]; files: readonly string[] }>;

/** What git ignores now, the saved rules did not, and no tool keeps for itself; empty if no rules were saved. */
export async function findHidden(repo: Repo, folder: string, look: Pick<Look, 'ignored'>): Promise<Hidden> {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return { names: [], files: [] };
  const names = await withoutKept(repo, folder, namesOf(look));
  const folders = names.filter((name) => name.endsWith('/'));
  const below = await withoutKept(repo, folder, await listBelow(repo, folders));
  const files = [...names.filter((name) => !name.endsWith('/')), ...below];
  return { names: names.map(nameOf), files: files.map(nameOf) };
}

function namesOf({ ignored }: Pick<Look, 'ignored'>): readonly string[] {
  const names = ignored.map(({ raw }) => raw);
  const folders = new Set(names.filter((name) => name.endsWith('/')));
  // If a rule is inside a folder, git names both.
  const isBelow = (name: string): boolean =>
    foldersOf(name.replace(/\/$/, '')).some((folder) => folders.has(`${folder}/`));
  return names.filter((name) => !isBelow(name));
}

async function listBelow(repo: Repo, folders: readonly string[]): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const pathspecs = folders.map((name) => `:(literal)${nameOf(name)}`);
  return splitNul(await repo.bytes(['ls-files', '-o', '-i', '-z', '--exclude-standard', '--', ...pathspecs]));
}

async function withoutKept(repo: Repo, folder: string, names: readonly string[]): Promise<readonly string[]> {
  const asked = names.filter((name) => !foldersOf(name).some((above) => isFilledByTool(repo, above)));
  if (asked.length === 0) return [];
  const own = ['-c', `core.excludesFile=${path.join(folder, 'own')}`];
  const then = repo.at(path.join(folder, 'tree'), repo);
  const args = [...own, 'check-ignore', '-z', '--no-index', '--stdin'];
  const printed = await then.bytes(args, { input: joinNul(asked), okCodes: [0, 1] });
  const ignored = new Set(splitNul(printed));
  return asked.filter((name) => !ignored.has(name));
}

/**
 * When a file was last written, made or moved, in ms: its change time, which no program can set; undefined if it is gone.
 */
export function changeTimeOf({ root }: Pick<Repo, 'root'>, file: string): number | undefined {
  return lstatSync(pathOf(root, rawOf(file)), { throwIfNoEntry: false })?.ctimeMs;
}

async function findOwnRules({ env, ...repo }: Repo): Promise<string> {
  const named = (
    await repo.git(['config', '--get', '--type=path', 'core.excludesFile'], { okCodes: [0, 1] })
  ).trim();
  const home = env['XDG_CONFIG_HOME'] ?? path.join(env['HOME'] ?? '', '.config');
  return named === '' ? path.join(home, 'git', 'ignore') : path.resolve(repo.root, named);
}

function readFile(file: string): Buffer | undefined {
  try {
    return lstatSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}
