// All refs but remotes, read from git's own files as git does: loose ones first, then the packed ones. Where the files
// are not as git writes them, or refs are kept in another way, it says nothing and git is to be asked.
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Repo } from './repo.ts';

/** More files than this are left to git, which reads them faster. */
const mostFiles = 3_000;

/** A ref and what it holds. */
export type RefLine = Readonly<{ ref: string; oid: string }>;

/** Every ref but remotes, by name; undefined: only git can tell. */
export function readRefFiles(repo: Pick<Repo, 'gitDir' | 'commonDir'>): readonly RefLine[] | undefined {
  if (existsSync(path.join(repo.commonDir, 'reftable'))) return undefined;
  // A linked work tree has refs of its own beside the common ones; mostly none.
  if (repo.gitDir !== repo.commonDir && existsSync(path.join(repo.gitDir, 'refs'))) return undefined;
  try {
    const loose = readLoose(repo.commonDir);
    const packed = loose && readPacked(repo.commonDir);
    if (!loose || !packed) return undefined;
    const all = new Map([...packed, ...loose]);
    return [...all].map(([ref, oid]) => ({ ref, oid })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  } catch {
    // Gone while it was read, or not to be read.
    return undefined;
  }
}

function readLoose(commonDir: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const waiting = ['refs'];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(path.join(commonDir, folder), { withFileTypes: true })) {
      const ref = `${folder}/${entry.name}`;
      if (isPassedOver(entry) || ref === 'refs/remotes') continue;
      if (entry.isDirectory()) waiting.push(ref);
      else if (!entry.isFile() || !isRefName(ref) || found.size >= mostFiles) return undefined;
      else {
        const oid = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(
          readFileSync(path.join(commonDir, ref), 'latin1'),
        )?.[1];
        if (oid === undefined || isNull(oid)) return undefined;
        found.set(ref, oid);
      }
    }
  }
  return found;
}

/** Names that git itself does not look at. */
function isPassedOver({ name }: Dirent): boolean {
  return name.startsWith('.') || name.endsWith('.lock');
}

function readPacked(commonDir: string): ReadonlyMap<string, string> | undefined {
  const file = path.join(commonDir, 'packed-refs');
  const found = new Map<string, string>();
  for (const line of (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue;
    const [, oid, ref] = /^([0-9a-f]{40}|[0-9a-f]{64}) (refs\/.+)$/.exec(line) ?? [];
    if (oid === undefined || ref === undefined || isNull(oid) || !isRefName(ref)) return undefined;
    if (!ref.startsWith('refs/remotes/')) found.set(ref, oid);
  }
  return found;
}

/** Below what git-check-ref-format(1) allows, and nothing that could not be decoded. */
function isRefName(ref: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no ref may hold.
  return !/[\0-\x20\x7f~^:?*[\\\ufffd]|\.\.|@\{|\/\.|\/\/|\.$|\.lock(\/|$)/.test(ref);
}

function isNull(oid: string): boolean {
  return /^0+$/.test(oid);
}
