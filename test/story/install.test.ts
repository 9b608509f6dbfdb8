// The README's way to install, from nothing: a fresh clone without node_modules, and a git address. npm works in folders of
// the test's own; what it downloads comes from the cache that `npm ci` has filled.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { oldestNode } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const newestNode = path.join(root, 'node_modules/node/bin/node');

/** A repository with the files of this one as they are now, and a prefix for global packages. */
function makeClone(node: string) {
  const folder = makeTempFolder();
  const place = (name: string) => path.join(folder.path, name);
  const clone = place('clone');
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd, encoding: 'utf8' });
  const files = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const file of files.filter(
    (name) => name !== '' && lstatSync(path.join(root, name), { throwIfNoEntry: false }),
  ))
    cpSync(path.join(root, file), path.join(clone, file));
  git(clone, 'init', '-q');
  git(clone, 'add', '.');
  git(clone, 'commit', '-q', '-m', 'all');
  for (const name of ['bin', 'home']) mkdirSync(place(name));
  symlinkSync(node, place('bin/node'));
  const cache = execFileSync('npm', ['config', 'get', 'cache'], {
    cwd: folder.path,
    encoding: 'utf8',
  }).trim();
  const env = {
    PATH: `${place('bin')}:${process.env['PATH'] ?? ''}`,
    HOME: place('home'),
    npm_config_cache: cache,
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  const globally = ['--global', '--prefix', place('prefix')];
  const npm = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    promisify(execFile)('npm', words, { cwd: clone, env: { ...env, ...more } });
  return {
    clone,
    prefix: place('prefix'),
    ci: () => npm(['ci', '--no-audit', '--no-fund']),
    install: (what: string, more: Readonly<Record<string, string>> = {}) =>
      npm(['install', ...globally, what], more),
    uninstall: () => npm(['uninstall', ...globally, 'pawl']),
    pawl: (...words: string[]) =>
      execFileSync(place('prefix/bin/pawl'), words, { cwd: place('home'), env, encoding: 'utf8' }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

// Since npm 12 a folder that is installed globally is not built: `npm ci` has done it.
inSoak('npm ci && npm install --global . in a fresh clone, on a new Node', async () => {
  using fresh = makeClone(newestNode);
  await fresh.ci();
  await fresh.install('.', { npm_config_ignore_scripts: 'true' });
  expect(fresh.pawl('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(lstatSync(path.join(fresh.prefix, 'lib/node_modules/pawl')).isSymbolicLink()).toBe(true);
});

/** What stands in an installed package. */
const shipped =
  '.claude-plugin LICENSE README.md SECURITY.md claude dist docker docs package.json src templates'.split(
    ' ',
  );
const parts = [
  '.claude-plugin/marketplace.json',
  'claude/skills/run/SKILL.md',
  'dist/THIRD-PARTY.md',
  'src/README.md',
  'src/INSIDE.md',
  'src/RECIPES.md',
];
const isLeft = (name: string) =>
  /\.(?:map|ts|tsx|test\.js)$/.test(name) || (name.startsWith('src/') && !parts.includes(name));

test('npm packs only what is shipped', () => {
  const text = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files = [], unpackedSize = 0 } = {}] = JSON.parse(text) as readonly {
    files?: readonly { path: string }[];
    unpackedSize?: number;
  }[];
  const names = files.map((file) => file.path);
  expect([...new Set(names.map((name) => name.split('/')[0]))].toSorted()).toEqual(shipped);
  expect(names.filter(isLeft)).toEqual([]);
  expect(names).toEqual(expect.arrayContaining([...parts, 'dist/pawl.js', 'dist/pawl.1']));
  expect(unpackedSize).toBeLessThan(8_000_000);
});

inSoak('npm install --global of a git address, on the oldest Node: only what is shipped', async () => {
  using fresh = makeClone(oldestNode);
  await fresh.install(`git+file://${fresh.clone}`);
  expect(fresh.pawl('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(fresh.pawl('help', 'run')).toContain('docs/plans/login.md');
  const installed = path.join(fresh.prefix, 'lib/node_modules/pawl');
  expect(lstatSync(installed).isSymbolicLink()).toBe(false);
  expect(readdirSync(installed).toSorted()).toEqual(shipped);
  const manual = path.join(fresh.prefix, 'share/man/man1/pawl.1');
  expect(readFileSync(manual, 'utf8')).toContain('.TH PAWL 1');
  expect(fresh.pawl('completions', 'bash')).toContain('complete -o default');
  await fresh.uninstall();
  expect([
    existsSync(installed),
    existsSync(manual),
    existsSync(path.join(fresh.prefix, 'bin/pawl')),
  ]).toEqual([false, false, false]);
});

inSoak('a Node that pawl would refuse to run on is refused before anything is installed', async () => {
  using fresh = makeClone(newestNode);
  const older = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const options = `--import=data:text/javascript,${encodeURIComponent(older)}`;
  const failed: unknown = await fresh
    .install('.', { NODE_OPTIONS: options })
    .catch((error: unknown) => error);
  expect(String((failed as { stderr?: string }).stderr)).toContain(
    'pawl: needs Node 22.18.0 or newer; this is Node 20.20.2',
  );
  expect(readdirSync(fresh.clone)).not.toContain('node_modules');
});
