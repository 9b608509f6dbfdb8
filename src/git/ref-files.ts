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
  const isLinked = repo.gitDir !== repo.commonDir;
  try {
    if (isLinked && hasFiles(path.join(repo.gitDir, 'refs'))) return undefined;
    const loose = readLoose(repo.commonDir, isLinked ? [...remotes, ...ofWorkTree] : remotes);
    const packed = loose && readPacked(repo.commonDir);
    if (!loose || !packed) return undefined;
    const all = new Map([...packed, ...loose]);
    return [...all].map(([ref, oid]) => ({ ref, oid })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  } catch {
    // Gone while it was read, or not to be read.
    return undefined;
  }
}

const remotes = ['refs/remotes'];
/** Each work tree has its own of these. */
const ofWorkTree = ['refs/bisect', 'refs/rewritten', 'refs/worktree'];

function hasFiles(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => !entry.isDirectory());
}

function readLoose(commonDir: string, others: readonly string[]): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const waiting = ['refs'];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(path.join(commonDir, folder), { withFileTypes: true })) {
      const ref = `${folder}/${entry.name}`;
      if (isPassedOver(entry) || others.includes(ref)) continue;
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
  return !/[\0-\x20\x7f~^:?*[\\\ufffd]|\.\.|@\{|\/\.|\/\/|\.$|\.lock(\/|$)/.test(ref);
}

function isNull(oid: string): boolean {
  return /^0+$/.test(oid);
}
