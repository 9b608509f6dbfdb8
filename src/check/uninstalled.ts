// Pure. Whether a working tree lacks installed packages: a lock file is there, but not their folder.

export type Uninstalled = Readonly<{ lock: string; folder: string; command: string }>;

const known: readonly Uninstalled[] = [
  { lock: 'package-lock.json', folder: 'node_modules', command: 'npm ci' },
  { lock: 'pnpm-lock.yaml', folder: 'node_modules', command: 'pnpm install --frozen-lockfile' },
  { lock: 'yarn.lock', folder: 'node_modules', command: 'yarn install' },
  { lock: 'bun.lock', folder: 'node_modules', command: 'bun install --frozen-lockfile' },
  { lock: 'uv.lock', folder: '.venv', command: 'uv sync' },
  { lock: 'composer.lock', folder: 'vendor', command: 'composer install' },
  { lock: 'mix.lock', folder: 'deps', command: 'mix deps.get' },
];

/** `has`: a name in the root. */
export function findUninstalled(has: (name: string) => boolean): Uninstalled | undefined {
  // Yarn may run packages from archives.
  if (has('.pnp.cjs')) return undefined;
  return known.find(({ lock, folder }) => has(lock) && !has(folder));
}
