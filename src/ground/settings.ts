// A ground's settings: every value that git sees in the first tree, unless the ground sees it anyway. Remotes refuse
// pushes.
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { makeFolder } from '../disk.ts';
import { copyBelow } from '../git/place/untracked.ts';
import { splitNul } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { moveText } from './move-text.ts';

/** Where pushes go: git knows no such transport, and says its name. */
export const noPush = 'pawl-pushes-nothing-from-here://';

/** True only of the first tree's folder, or of how git keeps it. */
const left =
  /^(include|includeif|gc|maintenance)\.|^extensions\.(?!partialclone$)|^core\.(worktree|bare|repositoryformatversion|fsmonitor|untrackedcache|splitindex)$|^remote\..*\.pushurl$/s;

export async function copySettings(repo: Repo, own: Repo): Promise<void> {
  const [wanted, known] = await Promise.all([listSettings(repo), listSettings(own)]);
  const lines: string[] = [];
  for (const [key, values] of wanted) {
    if (left.test(key)) continue;
    const moved = values.map((value) => moveValue(repo, own, { key, value }));
    const seen = known.get(key) ?? [];
    const isMore = seen.every((value, at) => value === moved[at]);
    for (const value of isMore ? moved.slice(seen.length) : moved) lines.push(formatSetting(key, value));
    if (/^remote\..+\.url$/s.test(key)) lines.push(formatSetting(key.replace(/url$/, 'pushurl'), noPush));
  }
  const file = path.join(own.gitDir, 'config');
  writeFileUnsynced(file, `${readFileSync(file, 'utf8')}${lines.join('')}`);
}

/** In git's order; undefined: a key without a value. */
type Settings = ReadonlyMap<string, readonly (string | undefined)[]>;

async function listSettings(repo: Repo): Promise<Settings> {
  const fields = splitNul(await repo.bytes(['config', '--list', '--includes', '--show-scope', '-z']));
  const settings = new Map<string, (string | undefined)[]>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    // The environment's settings reach the ground's git anyway.
    if (fields[at] === 'command') continue;
    const entry = Buffer.from(fields[at + 1] ?? '', 'latin1').toString('utf8');
    const end = entry.indexOf('\n');
    const key = end < 0 ? entry : entry.slice(0, end);
    settings.set(key, [...(settings.get(key) ?? []), end < 0 ? undefined : entry.slice(end + 1)]);
  }
  return settings;
}

type Setting = Readonly<{ key: string; value: string | undefined }>;

/** A hooks folder moves; a relative path to a remote becomes absolute. */
function moveValue(repo: Repo, own: Repo, { key, value }: Setting): string | undefined {
  if (value === undefined) return undefined;
  if (key === 'core.hookspath' && path.isAbsolute(value)) return moveHooks(repo, own, value);
  if (!/^remote\..+\.url$/s.test(key) || path.isAbsolute(value) || value.includes('://')) return value;
  const file = path.resolve(repo.root, value);
  return existsSync(file) ? file : value;
}

export function moveHooks(repo: Repo, own: Pick<Repo, 'root' | 'gitDir'>, folder: string): string {
  if (isAtOrBelow(folder, repo.commonDir))
    return path.join(own.gitDir, path.relative(repo.commonDir, folder));
  return isAtOrBelow(folder, repo.root) ? path.join(own.root, path.relative(repo.root, folder)) : folder;
}

/** What every git folder must say. */
export function formatCore(objectFormat: string | undefined): string {
  const core = { repositoryformatversion: objectFormat === undefined ? '0' : '1', bare: 'false' };
  const lines = Object.entries(core).map(([key, value]) => formatSetting(`core.${key}`, value));
  if (objectFormat !== undefined) lines.push(formatSetting('extensions.objectformat', objectFormat));
  return [...lines, formatSetting('gc.auto', '0')].join('');
}

export function formatSetting(key: string, value: string | undefined): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const quote = (text: string) => text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  const below = first === last ? '' : ` "${quote(key.slice(first + 1, last))}"`;
  const set = value === undefined ? '' : ` = "${quote(value)}"`;
  return `[${key.slice(0, first)}${below}]\n\t${key.slice(last + 1)}${set}\n`;
}

/** Existing files, such as tracked hooks, stay. */
export function copyHooks(repo: Repo, own: Repo): void {
  const copyAll = (from: string, to: string): void => {
    if (!lstatSync(from, { throwIfNoEntry: false })?.isDirectory() || from === to) return;
    makeFolder(to);
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.sample') || existsSync(path.join(to, name)) || !copyBelow(from, to, name)) continue;
      const file = path.join(to, name);
      if (lstatSync(file).isFile()) moveIn(file, { from: repo.root, to: own.root });
    }
  };
  copyAll(path.join(repo.commonDir, 'hooks'), path.join(own.commonDir, 'hooks'));
  // Hooks outside the repository serve the ground too.
  const isOwn = isAtOrBelow(repo.hooksDir, repo.root) || isAtOrBelow(repo.hooksDir, repo.commonDir);
  if (isOwn && repo.hooksDir !== repo.root) copyAll(repo.hooksDir, own.hooksDir);
}

function moveIn(file: string, { from, to }: Readonly<{ from: string; to: string }>): void {
  const bytes = readFileSync(file);
  const text = bytes.includes(0) ? '' : bytes.toString('utf8');
  const moved = moveText(text, from, to);
  if (moved !== text) writeFileUnsynced(file, moved, lstatSync(file).mode & 0o777);
}
