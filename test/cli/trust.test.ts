import { existsSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { showTrust } from '../../src/cli/trust.ts';
import { formatMoment } from '../../src/report/text/figure.ts';
import { isTrusted, obtainTrust } from '../../src/start/consent.ts';
import { consentFile } from '../../src/trust/consents.ts';
import { trustHash } from '../../src/trust/trust.ts';
import { findTrustFiles } from '../../src/trust/trust-files.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });
beforeEach(() => {
  world.write('.claude/settings.json', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./x"}]}]}}');
});

const hash = () => trustHash(findTrustFiles(world.cwd));
const wanted = (more: { trust?: boolean; trustHash?: string } = {}) => ({
  root: world.cwd,
  checks: ['npm test'],
  ...more,
});
const trusted = () => isTrusted(world.context(), world.cwd);

test('pawl trust shows files, hash and verdict, consents and revokes', async () => {
  expect((await world.run(showTrust, {})).stdout).toBe(
    [
      world.cwd,
      '  .claude/settings.json:1  hooks — runs commands at events',
      '  .claude/settings.json:1  command: "./x"',
      `hash ${hash()}`,
      'Not trusted. To allow what it runs: pawl trust --yes\n',
    ].join('\n'),
  );
  expect(trusted()).toBe(false);
  expect((await world.run(showTrust, { yes: true })).stdout).toContain(
    `Trusted since ${formatMoment(Date.parse('2026-01-02T03:04:05.000Z'))}.`,
  );
  expect(trusted()).toBe(true);
  world.write('.claude/agents/a.md', 'x');
  expect(trusted()).toBe(false);
  expect((await world.run(showTrust, {})).stdout).toContain('changed since then: .claude/agents/a.md.');
  expect((await world.run(showTrust, { revoke: true })).stdout).toBe(`${world.cwd} is no longer trusted.\n`);
  expect((await world.run(showTrust, { revoke: true })).stdout).toBe(`${world.cwd} was not trusted.\n`);
});

test('as JSON', async () => {
  const { stdout } = await world.run(showTrust, { json: true });
  expect(JSON.parse(stdout)).toEqual({
    root: world.cwd,
    hash: hash(),
    trusted: false,
    at: null,
    files: ['.claude/settings.json'],
    changed: [],
  });
});

test('without a terminal an unknown repository is refused, with checks, files, lines and the way to consent', async () => {
  await expect(obtainTrust(world.context(), wanted())).rejects.toMatchObject({
    code: 'trust',
    exit: 2,
    message: expect.stringMatching(
      /not trusted yet\nChecks:\n {2}npm test\nFiles:\n {2}\.claude\/settings\.json:1/,
    ),
    hint: expect.stringContaining(`--trust-hash ${hash()}`),
  });
  expect(existsSync(consentFile(world.context().folders))).toBe(false);
});

test('in a run’s ground the way to consent leads there', async () => {
  world.write('.git/pawl-home', '/home/a/work/.git');
  await expect(obtainTrust(world.context(), wanted())).rejects.toMatchObject({
    hint: expect.stringContaining(`(cd ${world.cwd} && pawl trust --yes)`),
  });
});

test('what a plan’s check or a file’s name would do to the terminal is shown instead of done', async () => {
  world.write('.claude/agents/a\x1b[2K\n  b.md', 'x');
  const checks = ['npm test\x1b[1A\x1b[2K', 'one\ntwo\u202e'];
  await expect(obtainTrust(world.context(), { ...wanted(), checks })).rejects.toMatchObject({
    message: expect.stringContaining(
      'Checks:\n  npm test?[1A?[2K\n  one\n  two?\nFiles:\n  .claude/settings.json:1  hooks',
    ),
  });
  await expect(obtainTrust(world.context(), { ...wanted(), checks })).rejects.toMatchObject({
    message: expect.stringContaining('\n  .claude/agents/a?[2K?  b.md:1'),
  });
});

test('--trust consents, and is remembered', async () => {
  const given = await obtainTrust(world.context(), wanted({ trust: true }));
  expect(Object.keys(given.consented ?? {})).toEqual(['.claude/settings.json']);
  expect(trusted()).toBe(true);
  expect(await obtainTrust(world.context(), wanted())).toEqual(given);
});

test('--trust-hash consents to this run alone', async () => {
  await obtainTrust(world.context(), wanted({ trustHash: hash() }));
  expect(trusted()).toBe(false);
  await expect(obtainTrust(world.context(), wanted({ trustHash: 'f'.repeat(64) }))).rejects.toMatchObject({
    code: 'trust',
    message: expect.stringContaining(`hash is ${hash()}, not ffff`),
  });
});

test('a changed repository is refused as changed, with what has changed beside the checks that are named', async () => {
  await obtainTrust(world.context(), wanted({ trust: true }));
  world.write('.mcp.json', '{}');
  world.write('.pawl/config.yaml', 'checks: [npm test, npm run lint]\n');
  await expect(obtainTrust(world.context(), wanted())).rejects.toMatchObject({
    message: [
      'this repository is not as it was when it was trusted',
      'Checks:\n  npm test\nChanged files:',
      '  .pawl/config.yaml:1  checks: "npm run lint" — runs or instructs something',
      '  .mcp.json:1  sets nothing',
    ].join('\n'),
  });
  rmSync(path.join(world.cwd, '.mcp.json'));
  rmSync(path.join(world.cwd, '.claude'), { recursive: true });
  await expect(obtainTrust(world.context(), wanted())).rejects.toMatchObject({
    message: expect.stringMatching(/settings\.json {2}is gone$/),
  });
});

test('commands of the project’s settings are named first, by the question’s text and by pawl trust alike', async () => {
  for (let index = 0; index < 80; index += 1) world.write(`.claude/agents/${index}.md`, 'x');
  world.write('.pawl/config.yaml', 'strict: true\nworktree:\n  setup: touch RAN\n');
  const { stdout } = await world.run(showTrust, {});
  const refused = await obtainTrust(world.context(), wanted()).catch((error: Error) => error.message);
  const lines = stdout.split('\n').filter((line) => line.startsWith('  '));
  expect(lines[2]).toBe('  .pawl/config.yaml:3  worktree.setup: "touch RAN" — runs or instructs something');
  expect(lines.at(-1)).toMatch(/^ {2}… and \d+ more$/);
  expect(refused).toContain(lines.join('\n'));
});

test('a repository without any configuration says so, and that its checks can be allowed', async () => {
  rmSync(path.join(world.cwd, '.claude'), { recursive: true });
  const { stdout } = await world.run(showTrust, {});
  expect(stdout).toContain('  none: this repository has no agent or pawl configuration\n');
  expect(stdout).toContain('Not trusted. To allow what it runs: pawl trust --yes');
  world.write('.pawl/config.yaml', '');
  expect((await world.run(showTrust, {})).stdout).toContain('.pawl/config.yaml:1  sets nothing');
});

test('a link that leads out of the repository is refused, whatever is said, until it is gone', async () => {
  symlinkSync('/etc', path.join(world.cwd, '.pawl'));
  for (const given of [wanted({ trust: true }), wanted({ trustHash: hash() })])
    await expect(obtainTrust(world.context(), given)).rejects.toMatchObject({
      code: 'trust',
      message: expect.stringContaining('.pawl → /etc'),
      hint: expect.stringContaining('Put the files themselves there'),
    });
  await expect(world.run(showTrust, { yes: true })).rejects.toMatchObject({ code: 'trust' });
  expect(trusted()).toBe(false);
  rmSync(path.join(world.cwd, '.pawl'));
  await obtainTrust(world.context(), wanted({ trust: true }));
});

test('what stands behind a link is consented to with it', async () => {
  world.write('conf/mcp.json', '{}');
  symlinkSync('conf/mcp.json', path.join(world.cwd, '.mcp.json'));
  await obtainTrust(world.context(), wanted({ trust: true }));
  expect(trusted()).toBe(true);
  world.write('conf/mcp.json', '{"mcpServers":{}}');
  expect(trusted()).toBe(false);
});
