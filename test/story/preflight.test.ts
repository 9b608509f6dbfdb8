// Everything that keeps a run from starting, or must not: pawl started as a user would start it, in repositories that are
// not as one wishes. What is refused has touched nothing, and its words say what to do.
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { honest, letterPlan } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, type Scene, startPawl, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const run = promisify(execFile);
const one = { plan: letterPlan('a'), turns: honest('a') };
const plan = 'docs/plans/plan.md';
const fileAllowed = ['-c', 'protocol.file.allow=always'];

/** Every file, link and folder below the repository with its bytes and mode, `.git` included. */
async function bytesOf(root: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(root, { recursive: true });
  const found = names.sort().map(async (name): Promise<[string, string]> => {
    const file = path.join(root, name);
    const stat = await lstat(file);
    if (stat.isSymbolicLink()) return [name, await readlink(file)];
    const bytes = stat.isFile() ? (await readFile(file)).toString('base64') : '';
    return [name, `${stat.mode.toString(8)} ${bytes}`];
  });
  return new Map(await Promise.all(found));
}

/** Runs, expects a refusal that says so, and that nothing at all has changed. */
async function expectRefused(scene: Scene, says: RegExp, exit = 2): Promise<void> {
  const before = await bytesOf(scene.repo.path);
  const ended = await expectExit(exit, scene.run());
  expect(ended.stderr).toMatch(says);
  expect(ended.events).toEqual([]);
  expect(await bytesOf(scene.repo.path)).toEqual(before);
}

describe('refused before anything is touched', () => {
  test('no commit yet', async () => {
    await using scene = await makeNight(one);
    await rm(path.join(scene.repo.path, '.git'), { recursive: true });
    await scene.repo.git('init', '-q', '-b', 'main');
    await expectRefused(scene, /no commit yet[\s\S]*Commit what is there/);
  });

  test('a check whose program is not there, unless the first task is to bring it', async () => {
    const checked = letterPlan('a').replace('### Task', '## Checks\n- `no-such-tool a.txt`\n\n### Task');
    const env = { PAWL_BASELINE: 'warn', PAWL_TASK_ATTEMPTS: '1' };
    await using scene = await makeNight({ ...one, env, plan: checked });
    await expectRefused(scene, /plan\.md:\d+: .*no-such-tool a\.txt.* cannot run[\s\S]*Install no-such-tool/);
    await scene.repo.write(plan, checked.replace('Write a to', 'Install no-such-tool, write a to'));
    const ended = await expectExit(1, scene.run());
    expect(ended.stderr).toMatch(/no-such-tool in PATH yet; a task mentions it/);
    expect(factsOf(ended, 'session-started')).toHaveLength(1);
  });

  test('HEAD is detached', async () => {
    await using scene = await makeNight(one);
    await scene.repo.git('switch', '-q', '--detach');
    await expectRefused(scene, /detached[\s\S]*git switch -c/);
  });

  test.each(share(['mine', 'main'], 2))('changes of the user’s on %s, by name', async (branch) => {
    await using scene = await makeNight(one);
    const { repo } = scene;
    if (branch !== 'main') await repo.git('switch', '-qc', branch);
    await repo.write('README.md', 'mine\n');
    await repo.write('staged.txt', 'mine\n');
    await repo.git('add', 'staged.txt');
    await expectRefused(scene, /README\.md[\s\S]*staged\.txt|staged\.txt[\s\S]*README\.md/);
  });

  test('in the middle of a merge', async () => {
    await using scene = await makeNight(one);
    const { repo } = scene;
    for (const branch of ['mine', 'main']) {
      await repo.git('switch', '-q', ...(branch === 'mine' ? ['-c', branch] : [branch]));
      await repo.write('README.md', `${branch}\n`);
      await repo.git('commit', '-qam', branch);
    }
    await repo.git('merge', '-q', 'mine').catch(() => {});
    await expectRefused(scene, /merge is in progress[\s\S]*--abort/);
  });

  test('a plan without tasks creates no branch and no commit (65)', async () => {
    await using scene = await makeNight({ ...one, plan: '# Plan: nothing\n\nSome prose.\n' });
    await expectRefused(scene, /plan\.md:1:1.*no tasks/i);
  });

  test('a plan that is not there, with the one that was meant', async () => {
    await using scene = await makeNight(one);
    const before = await bytesOf(scene.repo.path);
    const ended = await scene.pawl('run', 'docs/plans/plam.md', '--trust');
    expect(ended).toMatchObject({ exit: 2, stdout: '' });
    expect(ended.stderr).toMatch(/no plan docs\/plans\/plam\.md[\s\S]*docs\/plans\/plan\.md/);
    expect(await bytesOf(scene.repo.path)).toEqual(before);
  });

  test('the agent is not installed: exit 7', async () => {
    await using scene = await makeNight({ ...one, env: { PAWL_AGENT_CLAUDE_COMMAND: 'no-such-claude' } });
    await expectRefused(scene, /no-such-claude was not found[\s\S]*npm install/, 7);
  });

  inSoak('nor is the one that a task names: exit 7', async () => {
    const plan = one.plan.replace('- [ ]', '- agent: gemini\n- [ ]');
    const env = { PAWL_AGENTS: '{gemini: {command: no-such-gemini}}' };
    await using scene = await makeNight({ ...one, plan, env });
    await expectRefused(scene, /no-such-gemini was not found[\s\S]*npm install[^\n]*gemini-cli/, 7);
  });

  test.runIf(has('root'))('root without a sandbox: three remedies', async () => {
    await using scene = await makeNight({ ...one, env: { IS_SANDBOX: '' } });
    await expectRefused(scene, /as root[\s\S]*another user[\s\S]*acceptEdits[\s\S]*IS_SANDBOX=1/);
  });

  test('outside a repository', async () => {
    using folder = makeTempFolder();
    await using scene = await makeNight(one);
    await writeFile(path.join(folder.path, 'plan.md'), one.plan);
    const ended = startPawl(['plan.md', '--trust'], { cwd: folder.path, env: scene.env }).ended;
    expect(await ended).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/not in a git repository[\s\S]*git init/),
    });
    expect(await readdir(folder.path)).toEqual(['plan.md']);
  });
});

describe('--dry-run', () => {
  test('touches nothing, byte for byte', async () => {
    await using scene = await makeNight({
      ...one,
      files: { '.pawl/config.yaml': 'checks: [touch canary]\n' },
    });
    await scene.repo.write('notes.txt', 'mine\n');
    await scene.repo.write(plan, one.plan.replace('Each letter', 'Every letter'));
    const before = await bytesOf(scene.repo.path);
    const home = await bytesOf(scene.home);
    const ended = await scene.pawl('run', plan, '--dry-run');
    expect(ended, tell(ended)).toMatchObject({ exit: 0 });
    // The settings are shown as the run would have them, and that it would ask for consent first.
    expect(ended.stdout).toContain('Checks after each task: touch canary');
    expect(ended.stdout).toContain('Consent: not given yet');
    expect(ended.stdout).toMatch(/Branch: plan \(new\)[\s\S]*Task 1: Write a[\s\S]*Nothing was touched/);
    expect(await bytesOf(scene.repo.path)).toEqual(before);
    expect(await bytesOf(scene.home)).toEqual(home);
  });
});

test('--dry-run refuses what the run would, in settings that nobody trusts yet', async () => {
  await using scene = await makeNight({
    ...one,
    files: { '.pawl/config.yaml': 'review: { stages: [frist] }\n' },
    env: { PAWL_REVIEW_STAGES: '' },
  });
  const dry = await scene.pawl('run', plan, '--dry-run');
  const run = await scene.pawl('run', plan, '--trust');
  expect([dry.exit, run.exit]).toEqual([2, 2]);
  expect(dry.stderr).toBe(run.stderr);
  expect(dry.stderr).toContain('frist');
});

describe('works all the same', () => {
  /** Runs to exit 0 beside an untracked file of the user's, which is named and not committed, and returns the run's branch. */
  async function expectDone(scene: Scene, file = plan): Promise<string> {
    await scene.repo.write('notes.txt', 'mine\n');
    const ended = await expectExit(0, scene.pawl('run', file, '--json', '--trust'));
    expect(factsOf(ended, 'task-closed')).toHaveLength(1);
    expect(factsOf(ended, 'run-started')).toMatchObject([{ untracked: ['notes.txt'] }]);
    expect(await scene.repo.git('status', '--porcelain')).toBe('?? notes.txt');
    return scene.repo.git('branch', '--show-current');
  }

  test('a shallow and sparse clone whose origin/HEAD is not set, with a submodule and a plan that may not be written, in a folder and a file with spaces, quotes and unicode (66)', async () => {
    using folder = makeTempFolder();
    const root = path.join(folder.path, 'a b\'c "d" é');
    const git = async (...args: readonly string[]) =>
      (await run('git', ['-C', root, ...args])).stdout.trimEnd();
    await using scene = await makeNight({ ...one, files: { 'big/one.txt': 'x\n' } });
    await using other = await makeNight({ plan: one.plan, turns: [] });
    const { repo } = scene;
    await repo.git(...fileAllowed, 'submodule', '--quiet', 'add', other.repo.path, 'lib');
    await repo.git('commit', '-qam', 'lib');
    await run('git', ['clone', '-q', '--depth=1', `file://${repo.path}`, root]);
    await git('config', 'user.name', 'Test');
    await git('config', 'user.email', 'test@example.invalid');
    await git(...fileAllowed, 'submodule', '--quiet', 'update', '--init');
    await git('remote', 'set-head', 'origin', '--delete');
    await git('sparse-checkout', 'set', 'docs');
    expect(await git('rev-parse', '--is-shallow-repository')).toBe('true');
    expect(await readdir(root)).not.toContain('big');
    const before = await git('ls-tree', 'HEAD', 'lib', 'big/');
    const file = 'docs/планы/2026-01-15-кэш é.md';
    await mkdir(path.join(root, 'docs/планы'));
    await writeFile(path.join(root, file), one.plan);
    await chmod(path.join(root, file), 0o444);
    await writeFile(path.join(root, 'notes.txt'), 'mine\n');

    const ended = await expectExit(
      0,
      startPawl(['run', file, '--json', '--trust'], { cwd: root, env: scene.env }).ended,
    );
    expect(factsOf(ended, 'task-closed')).toHaveLength(1);
    expect(factsOf(ended, 'run-started')).toMatchObject([{ untracked: ['notes.txt'] }]);
    expect(await git('status', '--porcelain')).toBe('?? notes.txt');
    expect(await git('branch', '--show-current')).toBe('кэш-é');
    expect(await git('show', `HEAD:${file}`)).toBe(one.plan.replace('[ ]', '[x]').trimEnd());
    expect((await lstat(path.join(root, file))).mode & 0o777).toBe(0o444);
    expect(await git('ls-tree', 'HEAD', 'lib', 'big/')).toBe(before);
    expect(await git('rev-parse', 'main')).toBe(await git('rev-parse', 'origin/main'));
  });

  inSoak('on a branch of the user’s it stays there', async () => {
    await using scene = await makeNight(one);
    await scene.repo.git('switch', '-qc', 'mine');
    expect(await expectDone(scene)).toBe('mine');
  });
});
