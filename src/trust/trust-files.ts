// Lists the files of a repository, even behind links, that make a program run, or redirect one, when an agent or pawl
// starts in it.
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesAgentsObey } from '../agent/agents.ts';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';

/** `path`: from the root, with slashes; in a linked folder as an agent finds it. */
export type TrustFile = Readonly<{
  path: string;
  kind: 'file' | 'link';
  /** A link to a file has that file's; other links none. */
  bytes: Uint8Array;
  /** A link's, as written. */
  target?: string;
  /** Out of the repository, or into its git folder: nobody can consent to the target. */
  outside?: boolean;
}>;

/** No person could judge more. */
const maxFiles = 5_000;
const maxBytes = 64 * 1024 * 1024;

const skipped = new Set(filesAgentsObey.flatMap(({ skips = [] }) => skips));

/** What agents and pawl read or run in the root. */
const names = ['.pawl', ...filesAgentsObey.flatMap((own) => own.names)];

/** What agents find in folders with certain names, anywhere below the root. */
const nested = new Map(
  filesAgentsObey.flatMap((own) => (own.nested ? [[own.nested.folder, own.nested.names]] : [])),
);

/** Searched for them; each takes some 30 µs. What is beyond is not covered. */
const maxFolders = 20_000;

/**
 * Settings at the root, and nested ones (skills and commands in a `.claude/`) anywhere but in git's folder and
 * `node_modules`, even if ignored; sorted by path. Follows links within the repository. May be empty.
 */
export function findTrustFiles(root: string): readonly TrustFile[] {
  const files: TrustFile[] = [];
  const seen: Visited = { root: realpathSync(root), folders: new Set() };
  let bytes = 0;
  for (const name of [...names, ...findNested(root)])
    for (const { real, size = 0, ...found } of walk(root, name, seen)) {
      bytes += size;
      if (files.length >= maxFiles || bytes > maxBytes) throw tooMuch();
      files.push({
        ...found,
        bytes: real === undefined ? nothing : attempt(real, (file) => readFileSync(file)),
      });
    }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function isTrustPath(file: string): boolean {
  const isBelow = (name: string, path: string) => path === name || path.startsWith(`${name}/`);
  if (names.some((name) => isBelow(name, file))) return true;
  const parts = file.split('/');
  return parts.some((part, at) =>
    nested.get(part)?.some((name) => isBelow(name, parts.slice(at + 1).join('/'))),
  );
}

/** Nearest first; a linked folder as the link. */
function findNested(root: string): readonly string[] {
  const found: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    const folder = folders[at] ?? '';
    // What cannot be read, no agent of this user can read either.
    for (const entry of orElse(() => readdirSync(path.join(root, folder), { withFileTypes: true }), [])) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const below = folder === '' ? undefined : nested.get(entry.name);
      if (below) found.push(...(entry.isDirectory() ? below.map((each) => `${name}/${each}`) : [name]));
      else if (entry.isDirectory() && !unsearched.has(entry.name)) folders.push(name);
    }
  }
  return found;
}

const unsearched = new Set(['.git', 'node_modules', ...nested.keys()]);

/** `folders`: behind links; walked once, so that cyclic links end. */
type Visited = Readonly<{ root: string; folders: Set<string> }>;

/** `real`: what has its bytes. */
type Entry = Omit<TrustFile, 'bytes'> & Readonly<{ real?: string; size?: number }>;

function* walk(root: string, name: string, seen: Visited): Generator<Entry> {
  const absolute = path.join(root, name);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat || skipped.has(name)) return;
  // A socket, device or pipe has no bytes, and could block for ever.
  if (stat.isFile()) yield { path: name, kind: 'file', real: absolute, size: stat.size };
  if (stat.isDirectory()) yield* walkFolder(root, name, seen);
  if (!stat.isSymbolicLink()) return;
  const target = readlinkSync(absolute);
  const real = orElse(() => realpathSync(absolute), undefined);
  const outside = real !== undefined && !isCovered(seen.root, real);
  const there = real === undefined || outside ? undefined : statSync(real);
  const content = real !== undefined && there?.isFile() ? { real, size: there.size } : {};
  yield { path: name, kind: 'link', target, ...content, ...(outside ? { outside } : {}) };
  if (real === undefined || !there?.isDirectory() || seen.folders.has(real)) return;
  seen.folders.add(real);
  yield* walkFolder(root, name, seen);
}

function* walkFolder(root: string, name: string, seen: Visited): Generator<Entry> {
  for (const entry of attempt(path.join(root, name), (folder) => readdirSync(folder)))
    yield* walk(root, `${name}/${entry}`, seen);
}

const nothing = new Uint8Array();

function isCovered(root: string, real: string): boolean {
  const inside = path.relative(root, real);
  const [first = ''] = inside.split(path.sep);
  return first !== '..' && first !== '.git' && !path.isAbsolute(inside);
}

function tooMuch(): Failure {
  const sentence = `.pawl/ and the agents’ own folders, with what their links lead to, hold more than ${maxFiles} files or ${maxBytes >> 20} MB`;
  return new Failure('trust', sentence, {
    hint: 'That is too much to review before consenting. Move files that no agent needs out of these folders.',
  });
}

function attempt<Value>(file: string, read: (file: string) => Value): Value {
  try {
    return read(file);
  } catch (cause) {
    throw new Failure('trust', `${file} cannot be read, so nobody can consent to it`, { cause });
  }
}
