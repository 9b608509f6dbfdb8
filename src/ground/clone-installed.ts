// Gives a ground its own copy of what is installed in the first tree and ignored by git.
import { constants, existsSync } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { isAtOrBelow } from '../below.ts';
import { makeFolder } from '../disk.ts';
import { effect } from '../effect.ts';
import { listClonable } from '../git/place/untracked.ts';
import { pathOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { moveLocations, movePath, moveReal, moveText, pathFile } from './move-text.ts';

/** Folders that package managers fill, by name; a Python environment is told by its pyvenv.cfg. */
const installedNames = [
  'node_modules bower_components jspm_packages .yarn .pnpm-store .pnp.cjs .pnp.loader.mjs .pnp.data.json',
  '.venv venv env .tox .nox .pixi .direnv __pypackages__ *.egg-info',
  'vendor .bundle deps Pods Carthage elm-stuff .terraform .dart_tool',
].flatMap((names) => names.split(' '));

/** Others use these names too: only such a file makes it an installation. */
const shared = /^(?:\.?venv|env)$/;
const signs = ['pyvenv.cfg', 'conda-meta'];

/** Names relative to the root; `leadsBack`: those that lead into the first tree. */
export type Installed = Readonly<{ names: readonly string[]; leadsBack: readonly string[]; bytes: number }>;

/** Throws the signal's reason once that is aborted. */
export async function cloneInstalled(
  repo: Repo,
  own: Repo,
  { clone: globs = [], signal }: Readonly<{ clone?: readonly string[]; signal?: AbortSignal | undefined }>,
): Promise<Installed> {
  const asked = await listClonable(repo, globs);
  const usual = (await listClonable(repo, installedNames)).filter((name) => isInstalled(repo.root, name));
  const clone = new CloneFolder(repo.root, own.root, signal);
  const names: string[] = [];
  for (const name of new Set([...asked, ...usual])) {
    if (names.some((other) => name.startsWith(`${other}/`)) || existsSync(path.join(own.root, name)))
      continue;
    await clone.copy(name);
    names.push(name);
  }
  return { names, bytes: clone.bytes, leadsBack: [...clone.leading] };
}

function isInstalled(root: string, name: string): boolean {
  return (
    !shared.test(path.basename(name)) || signs.some((sign) => existsSync(pathOf(root, `${name}/${sign}`)))
  );
}

const width = 16;

/** Taken for current if the size and time of its source happen to be the same. */
const staleFile = /^__editable__.*\.pyc$/;
/** Scripts with an absolute first line, pnpm's shims. */
const programFolder = /^(\.?bin|Scripts)$/;
const longestProgram = 65_536;

/** `leading`: what of the copies leads back into the first tree. */
class CloneFolder {
  bytes = 0;
  readonly leading = new Set<string>();
  readonly from: string;
  readonly to: string;
  private readonly signal: AbortSignal | undefined;

  constructor(from: string, to: string, signal?: AbortSignal) {
    this.from = from;
    this.to = to;
    this.signal = signal;
  }

  /** By its name in the first tree; what is there already stays. */
  async copy(name: string): Promise<void> {
    makeFolder(path.dirname(path.join(this.to, name)));
    await effect('file', `clone ${path.basename(name)}`, () => this.copyEntry(name, name));
  }

  private async copyEntry(name: string, top: string): Promise<void> {
    this.signal?.throwIfAborted();
    const [from, to] = [path.join(this.from, name), path.join(this.to, name)];
    const stat = await lstat(from);
    if (stat.isSymbolicLink()) return this.copyLink(name);
    if (stat.isDirectory()) {
      await mkdir(to, { mode: stat.mode | 0o700 });
      const queue = await readdir(from);
      const failures: unknown[] = [];
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined && failures.length === 0; next = queue.pop())
          await this.copyEntry(path.join(name, next), top).catch((error) => failures.push(error));
      };
      // All have ended, so that nobody still writes where the caller then removes.
      await Promise.all(Array.from({ length: Math.min(width, queue.length) }, work));
      if (failures.length > 0) throw failures[0];
    } else if (stat.isFile() && !staleFile.test(path.basename(name))) {
      this.bytes += stat.size;
      if (!(await this.copyPaths(name, top, stat))) await copyFile(from, to, constants.COPYFILE_FICLONE);
    } else return;
    // Python compares a module's time with its compiled file's.
    await utimes(to, stat.atime, stat.mtime);
  }

  private async copyLink(name: string): Promise<void> {
    const [from, to] = [path.join(this.from, name), path.join(this.to, name)];
    const target = await readlink(from);
    const lexical = path.resolve(path.dirname(from), target);
    const isInside = isAtOrBelow(lexical, this.from);
    if (isInside) await symlink(path.isAbsolute(target) ? movePath(lexical, this.from, this.to) : target, to);
    else await symlink(moveReal(lexical, this.from, this.to), to);
  }

  /** False if it names no path of the first tree. */
  private async copyPaths(
    name: string,
    top: string,
    stat: Readonly<{ size: number; mode: number }>,
  ): Promise<boolean> {
    const isProgram = programFolder.test(path.basename(path.dirname(name))) && stat.size < longestProgram;
    if (!isProgram && !pathFile.test(path.basename(name))) return false;
    const bytes = await readFile(path.join(this.from, name));
    if (bytes.includes(0)) {
      if (!isProgram && bytes.includes(this.from)) this.leading.add(top);
      return false;
    }
    const text = bytes.toString('utf8');
    const moved = moveLocations(moveText(text, this.from, this.to), path.dirname(name), this);
    if (moved === text) return false;
    await writeFile(path.join(this.to, name), moved, { mode: stat.mode & 0o777 });
    return true;
  }
}
