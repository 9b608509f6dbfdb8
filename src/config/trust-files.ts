// Which files of a repository make a program run or redirect one when an agent or pawl starts in it, with their bytes.
// It follows no link and judges nothing.
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';

/** One file that consent covers. `path` is relative to the root, with slashes. A link's bytes are its target. */
export type TrustFile = Readonly<{ path: string; kind: 'file' | 'link'; bytes: Uint8Array }>;

/** Most files that one consent covers; more is nothing a person could judge. */
const maxFiles = 5_000;
/** Most bytes of them all. */
const maxBytes = 64 * 1024 * 1024;

// Claude Code keeps whole checkouts here (`--worktree`); a session in one has its own root and its own consent.
const skipped = new Set(['.claude/worktrees']);

/** Folders that are looked into for nested skills, at most; a look takes some 30 µs each. What lies beyond is not covered. */
const maxFolders = 20_000;
/** Below any folder the agent works in, Claude Code finds these too (2.1). */
const nested = ['skills', 'commands'];

/** Files under `.claude/` and `.pawl/`, `.mcp.json`, and skills and commands of `.claude/` in any folder but git's and `node_modules`; ignored ones too, sorted by path. None is an answer. */
export function findTrustFiles(root: string): readonly TrustFile[] {
  const found: TrustFile[] = [];
  const state = { files: found, bytes: 0 };
  for (const name of ['.claude', '.mcp.json', '.pawl']) visit(root, name, state);
  for (const name of findNested(root)) visit(root, name, state);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What is nested in a `.claude/` below the root, the nearest first; of one that is a link the link itself. */
function findNested(root: string): readonly string[] {
  const found: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < maxFolders; at += 1) {
    const folder = folders[at] ?? '';
    for (const entry of listFolder(path.join(root, folder))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.claude' && folder !== '')
        found.push(...(entry.isDirectory() ? nested.map((each) => `${name}/${each}`) : [name]));
      else if (entry.isDirectory() && !unsearched.has(entry.name)) folders.push(name);
    }
  }
  return found;
}

const unsearched = new Set(['.git', '.claude', 'node_modules']);

/** One that cannot be read is one whose skills no agent of this user can read either. */
function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

type State = { files: TrustFile[]; bytes: number };

function visit(root: string, name: string, state: State): void {
  const absolute = path.join(root, name);
  const stat = lstatSync(absolute, { throwIfNoEntry: false });
  if (!stat || skipped.has(name)) return;
  if (stat.isDirectory()) {
    for (const entry of readFolder(absolute)) visit(root, `${name}/${entry.name}`, state);
    return;
  }
  // A socket, device or pipe holds no bytes to consent to, and reading one could wait for ever.
  if (!stat.isFile() && !stat.isSymbolicLink()) return;
  state.bytes += stat.size;
  if (state.files.length >= maxFiles || state.bytes > maxBytes) {
    throw new Failure(
      'trust',
      `.claude/ and .pawl/ hold more than ${maxFiles} files or ${maxBytes >> 20} MB`,
      {
        hint: 'Nobody could read what they consent to. Move what no agent needs out of these folders.',
      },
    );
  }
  state.files.push(
    stat.isSymbolicLink()
      ? { path: name, kind: 'link', bytes: Buffer.from(readlinkSync(absolute)) }
      : { path: name, kind: 'file', bytes: readBytes(absolute) },
  );
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): Failure {
  return new Failure('trust', `${file} cannot be read, so nobody can consent to it`, { cause });
}
