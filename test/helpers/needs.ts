// What tests need of a machine that not every machine has: a test asks before it is tried, and `npm test` says at its end
// what was not.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { probeArgs } from '../../src/sandbox/bubblewrap.ts';
import { readOnlyArgs } from '../../src/sandbox/read-only.ts';

/** The program that gives a terminal. */
export const script = '/usr/bin/script';

/** Where jq is. */
export const jq = ['/usr/bin/jq', '/bin/jq', '/usr/local/bin/jq'].find((file) => existsSync(file));

/** The forges' own programs: Debian's packages, or the files that GH and GLAB name. */
export const forgePrograms = {
  github: [process.env['GH'] ?? '', '/usr/bin/gh'].find((file) => existsSync(file)),
  gitlab: [process.env['GLAB'] ?? '', '/usr/bin/glab'].find((file) => existsSync(file)),
};

/** The browser that stories look at the dashboard with. */
export const browser = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file));

/** Where PostgreSQL's programs are: Debian's, the newest first, or those on the path. */
export const postgresBin = [
  ...globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
  ...(process.env['PATH'] ?? '').split(path.delimiter),
].find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')));

const tmp = { root: '/tmp', gitDir: '/tmp', commonDir: '/tmp' };

const probes = {
  'a container engine (docker)': hasEngine,
  'bubblewrap (bwrap)': () => spawnSync('bwrap', [...probeArgs]).status === 0,
  'a read-only view of a folder (bwrap)': () =>
    spawnSync('bwrap', [...readOnlyArgs(tmp, { file: 'true', args: [], cwd: '/tmp' })]).status === 0,
  'mounts of its own (unshare)': () =>
    spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0,
  'terminals (script)': () => existsSync(script),
  'a browser (chromium-headless-shell)': () => browser !== undefined,
  'PostgreSQL (postgresql)': () => postgresBin !== undefined,
  'GitHub’s program (gh)': () => forgePrograms.github !== undefined,
  'GitLab’s program (glab)': () => forgePrograms.gitlab !== undefined,
  jq: () => jq !== undefined,
  shellcheck: () => spawnSync('shellcheck', ['--version']).status === 0,
  root: () => process.getuid?.() === 0,
} as const;

/** Something that a machine may lack. */
export type Need = keyof typeof probes;

const found = new Map<Need, boolean>();

/** Whether this machine has it; looked up once. */
export function has(need: Need): boolean {
  const known = found.get(need) ?? probes[need]();
  found.set(need, known);
  return known;
}

/** All that it lacks. */
export function findLacks(): readonly Need[] {
  return (Object.keys(probes) as Need[]).filter((need) => !has(need));
}

function hasEngine(): boolean {
  try {
    const args = ['info', '--format', '{{.OSType}}'];
    return execFileSync('docker', args, { stdio: 'pipe', timeout: 10_000 }).toString().trim() === 'linux';
  } catch {
    return false;
  }
}
