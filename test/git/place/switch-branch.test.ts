import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSwitchCutOff, switchBranch, undoCutOffSwitch } from '../../../src/git/place/switch-branch.ts';
import type { Repo } from '../../../src/git/run/repo.ts';
import { type Opened, openTemp } from '../open.ts';

test('branches are entered with the plan’s changes, and no hook runs', async () => {
  await using made = await openTemp({ files: { 'plan.md': 'p\n' } });
  const canary = path.join(made.home, 'ran');
  writeFileSync(path.join(made.repo.hooksDir, 'post-checkout'), `#!/bin/sh\ntouch ${canary}\n`, {
    mode: 0o755,
  });
  await made.temp.write('plan.md', 'changed\n');
  await switchBranch(made.repo, { branch: 'ünï-plan', create: true });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('ünï-plan');
  expect(await made.temp.git('status', '--porcelain')).toBe(' M plan.md');
  await switchBranch(made.repo, { branch: 'main', create: false });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  expect(await made.temp.exists(canary)).toBe(false);
  await expect(switchBranch(made.repo, { branch: 'nowhere', create: false })).rejects.toMatchObject({
    code: 'git',
  });
  expect(isSwitchCutOff(made.repo)).toBe(false);
});

test('a branch that a cut-off start had made already is switched to', async () => {
  await using made = await openTemp();
  await made.temp.git('branch', 'run');
  await switchBranch(made.repo, { branch: 'run', create: true });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('run');
});

test('a tag with the name of the branch HEAD is on is not what the new branch begins at', async () => {
  await using made = await openTemp();
  await made.temp.git('tag', 'main');
  await switchBranch(made.repo, { branch: 'run', create: true });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('run');
});

test('a lock that stays is what the failure names, and without it the same works', async () => {
  await using made = await openTemp();
  const lock = path.join(made.repo.gitDir, 'HEAD.lock');
  writeFileSync(lock, '');
  await expect(switchBranch(made.repo, { branch: 'run', create: true })).rejects.toMatchObject({
    message: expect.stringContaining('HEAD.lock'),
    hint: expect.stringContaining('remove the lock file'),
  });
  rmSync(lock);
  await switchBranch(made.repo, { branch: 'run', create: true });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('run');
});

/** Begins to switch to `other`, and dies with all its programs once `act` has done a part of it. */
async function dieSwitching(repo: Repo, act: () => Promise<unknown>): Promise<void> {
  const { promise: dead, resolve } = Promise.withResolvers<void>();
  const write: Repo['write'] = async (label, args, options) => {
    if (args[0] !== 'switch') return repo.write(label, args, options);
    await act();
    resolve();
    return new Promise<never>(() => {});
  };
  void switchBranch({ ...repo, write }, { branch: 'other', create: false });
  await dead;
}

const files = { 'both.txt': 'main\n', 'gone.txt': 'main has it\n', 'same.txt': 'same\n', 'plan.md': 'p\n' };

/** On main, beside a branch `other` with other files, one kept as it was, and a person's own. */
async function makeTwo(): Promise<Opened> {
  const made = await openTemp({ files });
  await made.temp.git('switch', '-q', '-c', 'other');
  await made.temp.write('both.txt', 'other, and longer\n');
  await made.temp.write('dir/new.txt', 'new there\n');
  rmSync(path.join(made.temp.path, 'gone.txt'));
  await made.temp.git('add', '-A');
  await made.temp.git('commit', '-qm', 'other');
  await made.temp.git('switch', '-q', 'main');
  await made.temp.write('plan.md', 'the person’s\n');
  await made.temp.write('mine.txt', 'mine\n');
  return made;
}

describe('a switch in which everything was killed', () => {
  test.each<[string, (made: Opened) => Promise<unknown>]>([
    ['before it changed anything', async () => {}],
    [
      'in the middle of the files',
      async ({ temp }) => {
        rmSync(path.join(temp.path, 'gone.txt'));
        await temp.write('both.txt', 'other, a');
        await temp.write('dir/new.txt', '');
      },
    ],
    [
      'after the files, with their index',
      async ({ temp }) => temp.git('read-tree', '-m', '-u', 'HEAD', 'other'),
    ],
    ['with a lock left', async ({ temp }) => temp.write('.git/index.lock', '')],
  ])('%s: what it wrote is taken back, nothing else is, and it can be done again', async (_, act) => {
    await using made = await makeTwo();
    const { temp, repo } = made;
    await dieSwitching(repo, () => act(made));
    await undoCutOffSwitch(repo);
    expect(isSwitchCutOff(repo)).toBe(false);
    expect(await temp.git('status', '--porcelain')).toBe(' M plan.md\n?? mine.txt');
    expect(existsSync(path.join(temp.path, 'dir'))).toBe(false);
    await switchBranch(repo, { branch: 'other', create: false });
    expect(await temp.git('status', '--porcelain')).toBe(' M plan.md\n?? mine.txt');
    expect(await temp.read('both.txt')).toBe('other, and longer\n');
  });

  test('a file that somebody changed since is named, and nothing is touched', async () => {
    await using made = await makeTwo();
    const { temp, repo } = made;
    const act = async () => {
      rmSync(path.join(temp.path, 'gone.txt'));
      await temp.write('both.txt', 'a person wrote this\n');
    };
    await dieSwitching(repo, act);
    await expect(undoCutOffSwitch(repo)).rejects.toMatchObject({
      code: 'preflight',
      message: expect.stringContaining('both.txt'),
    });
    expect(await temp.read('both.txt')).toBe('a person wrote this\n');
    expect(existsSync(path.join(temp.path, 'gone.txt'))).toBe(false);
    expect(isSwitchCutOff(repo)).toBe(true);
  });

  test('one that had come to its end, or that a person has gone on from, is left as it is', async () => {
    await using made = await makeTwo();
    const { temp, repo } = made;
    await dieSwitching(repo, async () => {
      await temp.write('both.txt', 'other, and longer\n');
    });
    await temp.git('commit', '-qam', 'the person went on');
    expect(await undoCutOffSwitch(repo)).toBeUndefined();
    expect(await temp.read('both.txt')).toBe('other, and longer\n');
  });
});
