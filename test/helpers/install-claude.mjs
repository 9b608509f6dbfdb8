// Puts the real Claude Code CLI, at one exact version, into test/.agents for the story tests. Plain JavaScript for
// any Node since 20; it does nothing when that version is there and runs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '2.1.330';
const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '.agents');
const link = path.join(folder, 'claude');

if (installed() === version && runs()) {
  console.log(`claude ${version} is in test/.agents`);
} else {
  install();
}

function install() {
  mkdirSync(folder, { recursive: true });
  // Scripts are off because npm may refuse them anyway: the postinstall would only copy the 380 MB binary.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const flags = ['--no-save', '--ignore-scripts', '--include=optional', ...quiet];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const spec = `@anthropic-ai/claude-code@${version}`;
  const done = spawnSync(npm, ['install', '--prefix', folder, ...flags, spec], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (done.status !== 0)
    fail(`npm could not install ${spec} (exit ${done.status ?? done.signal ?? done.error})`);
  const binaries = findBinaries();
  if (binaries.length === 0) fail(`${spec} has no binary for ${process.platform}-${process.arch}`);
  const isLinked = binaries.some((binary) => {
    rmSync(link, { force: true });
    symlinkSync(path.relative(folder, binary), link);
    return runs();
  });
  if (!isLinked) fail(`${binaries.join(', ')} does not run: ${claudeVersion().error}`);
  console.log(`claude ${version} installed into test/.agents`);
}

/** Version of the package in the folder, undefined when there is none. */
function installed() {
  const file = path.join(folder, 'node_modules', '@anthropic-ai', 'claude-code', 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

/** The native programs of the platform packages that npm chose for this machine: one, or glibc's and musl's. */
function findBinaries() {
  const scope = path.join(folder, 'node_modules', '@anthropic-ai');
  const packages = existsSync(scope)
    ? readdirSync(scope).filter((name) => name.startsWith('claude-code-'))
    : [];
  return packages
    .flatMap((name) => ['claude', 'claude.exe'].map((file) => path.join(scope, name, file)))
    .filter((file) => existsSync(file));
}

function runs() {
  return existsSync(link) && claudeVersion().text === version;
}

/** Asks the program for its version, with an environment of its own: it must not touch this user's files. */
function claudeVersion() {
  const home = path.join(tmpdir(), `pawl-claude-version-${process.pid}`);
  mkdirSync(home, { recursive: true });
  try {
    const env = { HOME: home, PATH: process.env.PATH, DISABLE_AUTOUPDATER: '1' };
    const asked = spawnSync(link, ['--version'], { env, encoding: 'utf8', timeout: 60_000 });
    return {
      text: asked.stdout?.split(' ')[0]?.trim(),
      error: asked.stderr || String(asked.error ?? asked.status),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function fail(sentence) {
  console.error(`install-claude: ${sentence}`);
  process.exit(1);
}
