// Puts the real Claude Code and codex CLIs, and the oldest Node that package.json names, each at one exact version, into
// test/.agents for the story tests. Plain JavaScript for any Node since 20; it does nothing for one that is there and runs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '.agents');

/** Node's binary for this platform, as npm has it. */
const oldestNode = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** `prefix`: npm removes from a folder what it did not just install, so each has one of its own. */
const agents = [
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.330',
    prefix: folder,
    // The platform's package: one, or glibc's and musl's.
    binaries: (packages) =>
      within(path.join(packages, '@anthropic-ai'), /^claude-code-/).flatMap((place) =>
        ['claude', 'claude.exe'].map((file) => path.join(place, file)),
      ),
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    prefix: path.join(folder, 'codex-cli'),
    binaries: (packages) =>
      within(path.join(packages, '@openai'), /^codex-/)
        .flatMap((place) => within(path.join(place, 'vendor'), /./))
        .flatMap((place) => ['codex', 'codex.exe'].map((file) => path.join(place, 'bin', file))),
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    prefix: path.join(folder, 'gemini-cli'),
    binaries: (packages) => [path.join(packages, '@google', 'gemini-cli', 'bundle', 'gemini.js')],
    isExtra: true,
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    prefix: path.join(folder, 'copilot-cli'),
    binaries: (packages) => [path.join(packages, '.bin', 'copilot')],
    isExtra: true,
  },
  {
    name: 'kimi',
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    prefix: path.join(folder, 'kimi-cli'),
    binaries: (packages) => [path.join(packages, '.bin', 'kimi')],
    isExtra: true,
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    prefix: path.join(folder, 'opencode-cli'),
    binaries: (packages) =>
      within(packages, /^opencode-\w+-\w+$/).map((place) => path.join(place, 'bin', 'opencode')),
    isExtra: true,
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    prefix: path.join(folder, 'qwen-cli'),
    binaries: (packages) => [path.join(packages, '@qwen-code', 'qwen-code', 'cli-entry.js')],
    isExtra: true,
  },
  {
    // It starts the codex that is here, not the one it would bring.
    name: 'codex-acp',
    package: '@agentclientprotocol/codex-acp',
    version: '2.6.0',
    prefix: path.join(folder, 'codex-acp-cli'),
    binaries: (packages) => [path.join(packages, '.bin', 'codex-acp')],
    isBare: true,
  },
  {
    name: 'oldest-node',
    package: oldestNode,
    version: '22.18.0',
    prefix: path.join(folder, 'oldest-node-package'),
    binaries: (packages) => ['node', 'node.exe'].map((file) => path.join(packages, oldestNode, 'bin', file)),
  },
];

for (const agent of agents) {
  // Hundreds of megabytes each: only where they are named.
  if (agent.isExtra && !process.argv.includes(agent.name)) continue;
  if (installed(agent) === agent.version && runs(agent)) {
    console.log(`${agent.name} ${agent.version} is in test/.agents`);
  } else {
    install(agent);
  }
}

function install(agent) {
  const { name, version, prefix } = agent;
  mkdirSync(prefix, { recursive: true });
  // Scripts are off because npm may refuse them anyway: they would only copy the binary of hundreds of megabytes.
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const flags = [
    '--no-save',
    '--ignore-scripts',
    agent.isBare ? '--omit=optional' : '--include=optional',
    ...quiet,
  ];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const spec = `${agent.package}@${version}`;
  const done = spawnSync(npm, ['install', '--prefix', prefix, ...flags, spec], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (done.status !== 0)
    fail(`npm could not install ${spec} (exit ${done.status ?? done.signal ?? done.error})`);
  const binaries = agent.binaries(path.join(prefix, 'node_modules')).filter((file) => existsSync(file));
  if (binaries.length === 0) fail(`${spec} has no binary for ${process.platform}-${process.arch}`);
  const isLinked = binaries.some((binary) => {
    rmSync(linkOf(agent), { force: true });
    symlinkSync(path.relative(folder, binary), linkOf(agent));
    return runs(agent);
  });
  if (!isLinked) fail(`${binaries.join(', ')} does not run: ${askVersion(agent).error}`);
  console.log(`${name} ${version} installed into test/.agents`);
}

/** Version of the package in its folder, undefined when there is none. */
function installed(agent) {
  const file = path.join(agent.prefix, 'node_modules', agent.package, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined;
}

function linkOf({ name }) {
  return path.join(folder, name);
}

function within(place, pattern) {
  const names = existsSync(place) ? readdirSync(place).filter((name) => pattern.test(name)) : [];
  return names.map((name) => path.join(place, name));
}

function runs(agent) {
  return existsSync(linkOf(agent)) && askVersion(agent).text === agent.version;
}

/** Asks the program for its version, with an environment of its own: it must not touch this user's files. */
function askVersion(agent) {
  const home = path.join(tmpdir(), `pawl-agent-version-${process.pid}`);
  mkdirSync(home, { recursive: true });
  try {
    const env = { HOME: home, PATH: process.env.PATH, DISABLE_AUTOUPDATER: '1' };
    const asked = spawnSync(linkOf(agent), ['--version'], { env, encoding: 'utf8', timeout: 60_000 });
    return {
      text: /\d+\.\d+\.\d+/.exec(asked.stdout ?? '')?.[0],
      error: asked.stderr || String(asked.error ?? asked.status),
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function fail(sentence) {
  console.error(`install-agents: ${sentence}`);
  process.exit(1);
}
