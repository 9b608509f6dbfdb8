// What is installed in the first tree, ignored by git, is installed in a ground too: a copy of its own, in which links and
// paths that lead into the first tree lead into the ground.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { listClonable } from '../git/place/untracked.ts';
import { pathOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { CloneFolder } from './clone-folder.ts';

/** Folders that package managers fill, by name; a Python environment is told by its pyvenv.cfg. */
const installedNames = [
  ...[
    'node_modules',
    'bower_components',
    'jspm_packages',
    '.yarn',
    '.pnpm-store',
    '.pnp.cjs',
    '.pnp.loader.mjs',
  ],
  ...['.venv', 'venv', 'env', '.tox', '.nox', '.pixi', '.direnv', '__pypackages__', '*.egg-info'],
  ...['vendor', '.bundle', 'deps', 'Pods', 'Carthage', 'elm-stuff', '.terraform', '.dart_tool'],
];

/** Of these, only what looks like an installation: others use the names too. */
const needsSign: Readonly<Record<string, readonly string[]>> = {
  env: ['pyvenv.cfg', 'conda-meta'],
  venv: ['pyvenv.cfg', 'conda-meta'],
  '.venv': ['pyvenv.cfg', 'conda-meta'],
};

/** What was cloned: names relative to the root, those of them that lead back into the first tree, and the bytes copied. */
export type Installed = Readonly<{ names: readonly string[]; leadsBack: readonly string[]; bytes: number }>;

export async function cloneInstalled(repo: Repo, own: Repo, globs: readonly string[]): Promise<Installed> {
  const asked = await listClonable(repo, globs);
  const usual = (await listClonable(repo, installedNames)).filter((name) => isInstalled(repo.root, name));
  const clone = new CloneFolder(repo.root, own.root);
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
  const signs = needsSign[path.basename(name)];
  return signs === undefined || signs.some((sign) => existsSync(pathOf(root, `${name}/${sign}`)));
}
