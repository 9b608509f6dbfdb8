// Which files of a working tree are read-only inside, because this machine's own programs run or obey them later:
// `sandbox.protect`, except those a task of the plan names.
import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { matchesAny } from '../../git/tree/glob.ts';
import type { Task } from '../../plan/plan.ts';

/** What protects, and what is written on purpose. */
export type ProtectRequest = Readonly<{
  root: string;
  /** `sandbox.protect`: relative to the root; `FOLDER/*` means the files in it, where new ones may be made. */
  entries: readonly string[];
  tasks: readonly Pick<Task, 'files'>[];
}>;

/** Files and folders that are there, relative to the root. A link is never among them, nor what lies behind one: it may lead anywhere. */
export function findProtected({ root, entries, tasks }: ProtectRequest): readonly string[] {
  const globs = tasks.flatMap(({ files }) => files);
  const isWanted = (name: string) =>
    matchesAny(name, globs) || globs.some((glob) => glob.replace(/^\.\//, '').startsWith(`${name}/`));
  return [...new Set(entries.flatMap((entry) => expand(root, entry)))].filter((name) => !isWanted(name));
}

function expand(root: string, entry: string): readonly string[] {
  const name = path.normalize(entry).replace(/\/$/, '');
  const kind = kindAt(root, name);
  if (kind !== undefined) return [name];
  const folder = path.dirname(name);
  if (path.basename(name) !== '*' || kindAt(root, folder) !== 'folder') return [];
  return readdirSync(path.join(root, folder))
    .map((each) => path.join(folder, each))
    .filter((each) => kindAt(root, each) === 'file');
}

/** What stands at a name below the root; undefined: nothing, a link, or something behind one. */
export function kindAt(root: string, name: string): 'file' | 'folder' | undefined {
  const file = path.join(root, name);
  if (name === '.' || name.startsWith('..') || path.isAbsolute(name)) return undefined;
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || realpathSync(path.dirname(file)) !== path.dirname(file)) return undefined;
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : undefined;
}
