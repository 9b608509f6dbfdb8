// Gives a ground its own copy of what is installed in the first tree and ignored by git.
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

/** Others use these names too: only such a file makes it an installation. */
const needsSign: Readonly<Record<string, readonly string[]>> = {
  env: ['pyvenv.cfg', 'conda-meta'],
  venv: ['pyvenv.cfg', 'conda-meta'],
  '.venv': ['pyvenv.cfg', 'conda-meta'],
};

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
  const signs = needsSign[path.basename(name)];
  return signs === undefined || signs.some((sign) => existsSync(pathOf(root, `${name}/${sign}`)));
}
