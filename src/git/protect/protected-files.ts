// The files that decide what git runs, reads and ignores, read without git, which would obey a planted one.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '../../below.ts';
import { orElse } from '../../or-else.ts';
import { splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';
import { type Entry, isSameEntry, listFolder, readEntry } from '../tree/entry.ts';

/** `outside`: the user's own, or one that git may need to change: reported, not undone. */
export type Watched = Readonly<{
  file: string;
  what: 'config' | 'info' | 'hook';
  outside: boolean;
  entry: Entry;
}>;

export type ProtectedFiles = Readonly<{
  dotGit: Entry;
  /** Device and inode of the git folder, to notice if another takes its place; undefined: no longer known. */
  identity: string | undefined;
  folders: ReadonlyMap<string, Entry['kind']>;
  files: readonly Watched[];
}>;

export function readProtectedFiles(place: Repo): ProtectedFiles {
  const info = ['exclude', 'attributes', 'grafts'].map((name) => path.join(place.commonDir, 'info', name));
  info.push(path.join(place.gitDir, 'info', 'sparse-checkout'));
  info.push(path.join(place.commonDir, 'objects', 'info', 'alternates'));
  const files: Watched[] = [
    ...readConfigs(place),
    ...info.map((file) => watch(file, 'info')),
    // The history it hides is not lost, and a fetch may need to change it.
    watch(path.join(place.commonDir, 'shallow'), 'info', { outside: true }),
    ...hookFiles(place).map((file) => watch(file, 'hook')),
  ];
  return {
    dotGit: readEntry(path.join(place.root, '.git')),
    identity: identityOf(place),
    folders: new Map(foldersOf(place).map((folder) => [folder, readEntry(folder).kind])),
    files,
  };
}

function watch(file: string, what: Watched['what'], { outside = false } = {}): Watched {
  return { file, what, outside, entry: readEntry(file) };
}

/** Only then may git run beside an agent. */
export async function isGuardIntact(place: Repo, before: ProtectedFiles): Promise<boolean> {
  const now = readProtectedFiles(place);
  const isSame =
    now.identity === before.identity &&
    isSameEntry(now.dotGit, before.dotGit) &&
    now.files.length === before.files.length &&
    [...before.folders].every(([folder, kind]) => now.folders.get(folder) === kind);
  if (!isSame) return false;
  for (const [at, { file, what, entry }] of now.files.entries()) {
    const was = before.files[at];
    if (file !== was?.file) return false;
    if (isSameEntry(entry, was.entry)) continue;
    if (what !== 'config' || (await keysBetween(place, was.entry, entry)).length > 0) return false;
  }
  return true;
}

/** Guarded keys whose values differ; `*` if a file cannot be read. */
export async function keysBetween(repo: Repo, before: Entry, now: Entry): Promise<readonly string[]> {
  const [old, is] = [await readGuarded(repo, before), await readGuarded(repo, now)];
  if (!old || !is) return isSameEntry(before, now) ? [] : ['*'];
  const keys = new Set([...old.keys(), ...is.keys()]);
  return [...keys].filter((key) => old.get(key)?.join('\0') !== is.get(key)?.join('\0')).sort();
}

/** By key, its entries as git lists them. git knows no repository meanwhile, so that it obeys nothing in one. */
async function readGuarded(
  repo: Repo,
  entry: Entry,
): Promise<ReadonlyMap<string, readonly string[]> | undefined> {
  if (entry.kind !== 'file') return entry.kind === 'missing' ? new Map() : undefined;
  const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
  const options = { input: entry.bytes, env: { GIT_DIR: '/dev/null' } };
  const listed = await repo.bytes(args, options).catch(() => undefined);
  const settings = listed && Map.groupBy(splitNul(listed), (one) => one.split('\n', 1)[0] ?? '');
  return settings && new Map([...settings].filter(([key]) => !harmless.some((shape) => shape.test(key))));
}

/** What ordinary work writes, and runs and redirects nothing, nor changes a commit's content or text. */
const harmless: readonly RegExp[] = [
  /^branch\..*\.(?!pushremote$|mergeoptions$)[^.]*$/s,
  /^remote\..*\.(fetch|tagopt|prune|prunetags)$/s,
  /^submodule\..*\.(active|url)$/s,
  /^lfs\.(repositoryformatversion|.*\.(access|locksverify))$/s,
  /^(color|advice|gui|gitg|column)\./,
];

/** Every `path` of these sections: one too many is only watched. Takes no longer for a hostile text. */
export function pathsIn(text: string, section: 'include' | 'submodule'): readonly string[] {
  const value =
    /^(?:\[.*\])?[ \t]*path[ \t]*=[ \t]*((?:"(?:[^"\\\n]|\\.)*"|\\.|[^\s#;"\\])(?:"(?:[^"\\\n]|\\.)*"|\\.|[^#;"\\\n]+)*)/gim;
  const header = new RegExp(`^\\[(?:.*\\[)?${section}`, 'i');
  const parts = text.split(/^[\ufeff \t]*(?=\[)/m).filter((part) => header.test(part));
  return parts.flatMap((part) =>
    [...part.matchAll(value)].map(([, raw = '']) => raw.trimEnd().replace(/\\(.)|"/g, '$1')),
  );
}

export function identityOf(place: Repo): string {
  const idOf = (folder: string): string => {
    const stat = statSync(folder, { throwIfNoEntry: false, bigint: true });
    if (!stat) return 'none';
    const { dev, ino, birthtimeNs, ctimeNs } = stat;
    // An inode may be reused. Where no birth time is stored, it equals the last change.
    return birthtimeNs === ctimeNs ? `${dev}:${ino}` : `${dev}:${ino}:${birthtimeNs}`;
  };
  return `${idOf(place.gitDir)} ${idOf(place.commonDir)}`;
}

function foldersOf(place: Repo): readonly string[] {
  const shared = ['hooks', 'info', 'refs', 'objects'].map((name) => path.join(place.commonDir, name));
  const own = isInside(place, place.hooksDir) && place.hooksDir !== place.root ? [place.hooksDir] : [];
  return [...new Set([...shared, path.join(place.gitDir, 'info'), ...own])];
}

/** Without samples; if the hooks folder is the root itself, every path a hook would have. */
export function hookFiles(place: Repo): readonly string[] {
  const usual = path.join(place.commonDir, 'hooks');
  const folders = [usual, ...(isInside(place, place.hooksDir) ? [place.hooksDir] : [])];
  return [...new Set(folders)].flatMap((folder) => {
    const isFolder = readEntry(folder).kind === 'folder';
    if (!isFolder) return [];
    if (folder === place.root) return commitHooks.map((name) => path.join(folder, name));
    const names = listFolder(folder, 500).filter((name) => !name.endsWith('.sample'));
    return names.map((name) => path.join(folder, name));
  });
}

export const commitHooks: readonly string[] = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
];

export function readConfigs(place: Repo): readonly Watched[] {
  const { env } = place;
  const home = env['HOME'] ?? '';
  const user = env['GIT_CONFIG_GLOBAL'] ?? path.join(home, '.gitconfig');
  const waiting = [
    path.join(place.commonDir, 'config'),
    path.join(place.gitDir, 'config.worktree'),
    user,
    path.join(env['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'git', 'config'),
    env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig',
  ].filter((file) => path.isAbsolute(file));
  const found = new Map<string, Watched>();
  for (let at = 0; at < waiting.length && at < 50; at += 1) {
    const file = waiting[at] ?? '';
    if (found.has(file)) continue;
    const entry = readEntry(file);
    found.set(file, { file, what: 'config', outside: !isInside(place, file), entry });
    if (entry.kind === 'link')
      waiting.push(orElse(() => realpathSync(file), path.resolve(path.dirname(file), 'missing')));
    if (entry.kind !== 'file') continue;
    for (const included of pathsIn(entry.bytes.toString('utf8'), 'include'))
      waiting.push(path.resolve(path.dirname(file), included.replace(/^~(?=\/)/, home)));
  }
  return [...found.values()];
}

function isInside(place: Repo, file: string): boolean {
  return (
    file === place.root || [place.root, place.gitDir, place.commonDir].some((folder) => isBelow(file, folder))
  );
}
