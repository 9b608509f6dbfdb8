// npm's `prepare`: builds dist/. npm runs it in a fresh clone for `npm install --global .` and for a git address, where it
// has installed none of the tools that build; then they are installed into this folder first. Plain JavaScript for any Node
// since 20: after `npm ci` the build runs on the Node that came with it.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const isSecond = process.env.PAWL_PREPARING === '1';

if (process.env.npm_config_global === 'true' && !isSecond) {
  refuseOldNode();
  putFolderForLinkToClone();
}
if (hasTools()) run('npm', ['run', 'build']);
else if (isSecond) fail('npm ci did not install tsdown, which builds pawl');
else run('npm', ['ci', '--no-global', '--include=dev', '--no-audit', '--no-fund']);

function hasTools() {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('tsdown/package.json');
    return true;
  } catch {
    return false;
  }
}

/** `pawl` would refuse to start on it: said before anything is installed. */
function refuseOldNode() {
  const needed = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).engines.node.slice(2);
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = needed.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(
    `needs Node ${needed} or newer; this is Node ${process.versions.node}. ` +
      'Install a newer one, e.g. from https://nodejs.org or by `npm install --global node@24`, and try again.',
  );
}

/**
 * For a git address npm prepares a temporary clone by an installation inside it, which takes over `--global`: it links the
 * clone as the installed package, and npm then unpacks the package through that link, into what it removes afterwards. A folder stood there before.
 */
function putFolderForLinkToClone() {
  const clone = realpathSync(folder);
  if (!/[\\/]_cacache[\\/]tmp[\\/]git-clone/.test(clone)) return;
  const prefix = process.env.npm_config_global_prefix ?? process.env.npm_config_prefix ?? '';
  for (const packages of [path.join(prefix, 'lib', 'node_modules'), path.join(prefix, 'node_modules')]) {
    const link = path.join(packages, 'pawl');
    if (existsSync(link) && lstatSync(link).isSymbolicLink() && realpathSync(link) === clone) {
      rmSync(link);
      mkdirSync(link);
    }
  }
}

/** npm tells its scripts what it was called with; a global prefix is none of an installation in this folder. */
function run(command, args) {
  const asked = ['npm_config_global', 'npm_config_location', 'npm_config_prefix', 'npm_config_omit'];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !asked.includes(name)));
  const done = spawnSync(command, args, {
    cwd: folder,
    env: { ...env, PAWL_PREPARING: '1' },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function fail(sentence) {
  console.error(`pawl: ${sentence}`);
  process.exit(1);
}
