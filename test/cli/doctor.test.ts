import {
  appendFileSync,
  chmodSync,
  existsSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { judgeFree, judgeGit, looks } from '../../src/cli/doctor/looks.ts';
import { runDoctor } from '../../src/cli/doctor.ts';
import type { CliContext } from '../../src/start/context.ts';
import { removeConsent } from '../../src/trust/consents.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });

/** A PATH that holds only what is linked into it, so that a missing program is missing. */
const linked = ['git', 'sh', 'bash', 'ps', 'ssh-keygen'];

beforeEach(() => {
  world.write('a', 'a');
  world.commit('a');
  for (const name of linked) {
    const found = ['/usr/bin', '/bin'].map((folder) => path.join(folder, name)).find(existsSync);
    if (found) symlinkSync(found, path.join(world.bin, name));
  }
  world.program('claude', 'echo "2.1.330 (Claude Code)"');
  world.trust();
});
type Row = { name: string; state: string; says: string; remedy?: string };

async function doctor(more: Partial<CliContext> = {}, env: Record<string, string> = {}) {
  const base = { ...world.context().env, PATH: world.bin, CLAUDE_CODE_OAUTH_TOKEN: 't', ...env };
  const { exit, stdout } = await world.run(runDoctor, { json: true }, [], { env: base, ...more });
  const rows = JSON.parse(stdout) as Row[];
  const row = (name: string) => {
    const found = rows.find((one) => one.name === name);
    return found ? `${found.state}: ${found.says}` : undefined;
  };
  return { exit, rows, row };
}

test('where all is well, nothing fails and nothing warns', async () => {
  const { exit, rows } = await doctor();
  expect(rows.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(exit).toBe(0);
  expect(rows.map(({ name }) => name)).toEqual([
    'config',
    ...Object.keys(looks).filter((name) => !['fallback', 'sandbox', 'carry', 'fleet'].includes(name)),
  ]);
});

test.each<[string, Record<string, string>, string]>([
  ['is not installed', { PATH: '/nowhere' }, 'fail: the agent’s program codex was not found'],
  ['has no login', {}, 'warn: codex: no login found'],
  ['has a key', { OPENAI_API_KEY: 'k' }, 'ok: codex codex-cli 0.169.0'],
])('a fallback that %s', async (_, env, says) => {
  world.program('codex', 'echo codex-cli 0.169.0');
  const { row } = await doctor({}, { PAWL_AGENT_FALLBACK: 'codex', ...env });
  expect(row('fallback')).toContain(says);
});

test.each([
  ['codex-cli 0.169.0', 'ok: codex codex-cli 0.169.0'],
  ['codex-cli 0.72.0', 'ok: codex codex-cli 0.72.0'],
  ['codex-cli 0.66.0', 'warn: codex codex-cli 0.66.0 is older than what pawl knows'],
  ['codex-cli 1.0.0', 'ok: codex codex-cli 1.0.0'],
])('a codex that works: %s', async (version, says) => {
  world.program('codex', `[ "$*" = --version ] && echo ${version}`);
  expect((await doctor({}, { PAWL_AGENT_NAME: 'codex' })).row('agent')).toBe(says);
});

test('settings that nobody trusts yet are said not to be read', async () => {
  const file = world.write('.pawl/config.yaml', 'strict: true\n');
  const { row, rows } = await doctor();
  expect(row('config')).toBe(`ok: ${file} applies once this repository is trusted`);
  expect(rows.filter(({ remedy }) => remedy?.includes('pawl trust')).map(({ name }) => name)).toEqual([
    'trust',
  ]);
  expect([row('reviews'), row('checks')]).toEqual([undefined, undefined]);
  expect(row('trust')).toMatch(/^warn: .*reviewers and scripts are not looked at/);
  const env = { ...world.context().env, PATH: world.bin, CLAUDE_CODE_OAUTH_TOKEN: 't' };
  expect((await world.run(runDoctor, {}, [], { env })).stdout).toMatch(/^A run can start, as far as/m);
  world.trust();
  expect((await doctor()).row('config')).toBe(`ok: ${file}`);
});

test('whatever fails has a remedy, and the exit says so', async () => {
  unlinkSync(path.join(world.bin, 'claude'));
  const { exit, rows } = await doctor({ uid: 0 }, { CLAUDE_CODE_OAUTH_TOKEN: '' });
  const failed = rows.filter(({ state }) => state === 'fail');
  expect(failed.map(({ name }) => name)).toEqual(['agent', 'permissions']);
  for (const { remedy } of failed) expect(remedy).toMatch(/\w/);
  expect(exit).toBe(2);
});

const inImage = { PAWL_SANDBOX_KIND: 'docker', PAWL_SANDBOX_IMAGE: 'mine:1' };

/** An engine that has every image; `run` is what becomes of a program that is started in one. */
function engine(run: string): void {
  world.program('docker', `case $1 in run) ${run};; esac`);
}

/** What is prepared, or where it looks. */
type Given = Readonly<{
  prepare?: () => unknown;
  context?: Partial<CliContext>;
  env?: Readonly<Record<string, string>>;
}>;
type Case = readonly [wanted: string, given: (() => unknown) | Given];

const ofScript = { PAWL_AGENT_NAME: 'script', PAWL_AGENT_SCRIPT_COMMAND: 'mine' };
const noToken = { CLAUDE_CODE_OAUTH_TOKEN: '' };
const noneFound = 'warn: no login found';
const root = { uid: 0 };

/** By the row that shows it. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  config: [
    ['fail: PAWL_STRICT: strict takes true or false', { env: { PAWL_STRICT: 'x' } }],
    ['warn: all defaults; the ralphex setup', () => world.write('.ralphex/config', '')],
  ],
  checks: [['there is no nope, never in PATH', { env: { PAWL_CHECKS: 'nope a,git status,never,nope b' } }]],
  shell: [
    ['warn: no bash: checks run with sh -e', () => remove('bash')],
    ['fail: there is neither bash nor sh in PATH', () => ['bash', 'sh'].forEach(remove)],
  ],
  git: [['fail: git cannot be started', () => remove('git')]],
  repository: [
    [
      'fail: git does not know who commits here',
      () => world.write('../home/.gitconfig', '[user]\nuseConfigOnly = true\n'),
    ],
    ['warn: commits are signed', () => signBy(signature)],
    ['fail: git cannot sign commits here', () => signBy('exit 2')],
    ['warn: uncommitted changes: a', () => appendFileSync(path.join(world.cwd, 'a'), 'b')],
  ],
  agent: [
    ['fail: the agent’s program claude was not found', () => remove('claude')],
    ['does not answer: broken', () => world.program('claude', 'echo broken >&2; exit 1')],
    ['warn: claude 1.0.9 is older', () => world.program('claude', 'echo 1.0.9')],
    ['ok: mine', { prepare: () => world.program('mine', ':'), env: ofScript }],
    [
      'ok: claude 2.1.330 in the image',
      {
        prepare: () => engine('case $* in *" sh claude claude --version") echo 2.1.330; esac'),
        env: inImage,
      },
    ],
    ['fail: the agent’s program claude is missing', { prepare: () => engine('exit 127'), env: inImage }],
    [
      'ok: mine',
      {
        prepare: () => engine('case $* in *" sh mine true") ;; *) exit 127; esac'),
        env: { ...inImage, ...ofScript },
      },
    ],
    [
      'ok: claude is looked for in the image',
      { prepare: () => world.program('docker', 'exit 1'), env: inImage },
    ],
  ],
  login: [
    [
      noneFound,
      {
        prepare: () =>
          world.write('../home/.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"x"}}'),
        env: { ...inImage, ...noToken },
      },
    ],
    [noneFound, { env: noToken }],
  ],
  permissions: [
    ['ok: bypass:', { context: root, env: inImage }],
    ['fail: Claude Code refuses to work', { context: root }],
    ['warn: bypass as root:', { context: root, env: { IS_SANDBOX: '1' } }],
    [
      'ok: acceptEdits: what would ask is denied',
      { context: root, env: { PAWL_AGENT_CLAUDE_PERMISSIONS: 'acceptEdits' } },
    ],
  ],
  trust: [
    ['changed since you trusted it: .claude/settings.json', () => world.write('.claude/settings.json', '{}')],
    ['warn: not trusted yet', () => removeConsent(world.context().folders, world.cwd)],
    ['fail: links lead out', () => symlinkSync('/etc', path.join(world.cwd, '.mcp.json'))],
  ],
};

const rowsOfCases = Object.entries(cases).flatMap(([name, rows]) =>
  rows.map(([wanted, given]) => ({ name, wanted, given })),
);

test.each(rowsOfCases)('$name: $wanted', async ({ name, wanted, given }) => {
  const { prepare, context, env }: Given = typeof given === 'function' ? { prepare: given } : given;
  prepare?.();
  const { row, exit, rows } = await doctor(context, env);
  expect(row(name)).toContain(wanted);
  expect(exit).toBe(rows.some(({ state }) => state === 'fail') ? 2 : 0);
});

test('a look that cannot be had is a line of the table', async () => {
  writeFileSync(world.write('.claude/huge', ''), '');
  truncateSync(path.join(world.cwd, '.claude/huge'), 65 * 1024 ** 2);
  const { row, exit } = await doctor();
  expect([row('trust'), exit]).toEqual([
    'fail: .pawl/ and the agents’ own folders, with what their links lead to, hold more than 5000 files or 64 MB',
    2,
  ]);
});

test('outside a repository it says so, and looks at the rest', async () => {
  const { row, rows } = await doctor({ cwd: world.top });
  expect(row('repository')).toContain('is not in a git repository');
  expect(rows.map(({ name }) => name)).not.toContain('trust');
});

test.each([
  [100 * 1024 ** 2, 'fail'],
  [500 * 1024 ** 2, 'warn'],
  [20 * 1024 ** 3, 'ok'],
])('%i bytes free: %s', (bytes, state) => {
  expect(judgeFree(bytes).state).toBe(state);
});

test.each([
  ['git version 2.39.5', 'ok'],
  ['git version 2.31.0', 'ok'],
  ['git version 2.30.9', 'fail'],
  ['git version 1.99.0', 'fail'],
  ['git version 3.0.0', 'ok'],
  ['', 'fail'],
])('%j: %s', (version, state) => {
  expect(judgeGit(version).state).toBe(state);
});

test('a planted fsmonitor is not run', async () => {
  const canary = path.join(world.top, 'canary');
  const hook = world.write('hook', `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(hook, 0o755);
  world.git('config', 'core.fsmonitor', hook);
  await doctor();
  expect(existsSync(canary)).toBe(false);
});

test('the table reads, and ends with what it comes to', async () => {
  const { stdout } = await world.run(runDoctor, {}, [], { uid: 0 });
  const fails = stdout.match(/^fail/gm)?.length;
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(
    `${fails} thing${fails === 1 ? '' : 's'} to fix before a run can start.`,
  );
  expect(stdout).toMatch(
    /^fail {2}permissions {3}Claude Code refuses to work without asking \(permissions: bypass\) as root\n {20}→ Run pawl as another user/m,
  );
});

const signature = "while read -r _; do :; done; printf '\\n[GNUPG:] SIG_CREATED \\n' >&2; echo signature";

function signBy(script: string): void {
  const program = world.write('.git/sign', `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  world.git('config', 'commit.gpgsign', 'true');
  world.git('config', 'gpg.program', program);
}

function remove(name: string): void {
  unlinkSync(path.join(world.bin, name));
}

test('a remote that runs are carried to is asked, with git’s own program', async () => {
  const carried = { PAWL_CARRY_REMOTE: 'origin' };
  expect((await doctor({}, carried)).row('carry')).toContain(
    'fail: this repository has no remote named "origin"',
  );
  const bare = path.join(world.bin, '..', 'bare.git');
  world.git('init', '-q', '--bare', bare);
  world.git('remote', 'add', 'origin', bare);
  world.program('evil', `touch '${world.cwd}/ran'`);
  world.git('config', 'remote.origin.uploadpack', path.join(world.bin, 'evil'));
  expect((await doctor({}, carried)).row('carry')).toBe('ok: origin answers');
  expect(existsSync(path.join(world.cwd, 'ran'))).toBe(false);
});

test('a fleet whose database does not answer keeps nobody from starting', async () => {
  const away = { PAWL_FLEET_URL: 'postgres://ann:secret@127.0.0.1:9/pawl' };
  expect((await doctor({}, away)).row('fleet')).toContain(
    'warn: the database at 127.0.0.1:9/pawl does not answer',
  );
  expect((await doctor({}, {})).row('fleet')).toBeUndefined();
});
