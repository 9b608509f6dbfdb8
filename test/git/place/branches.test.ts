import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isNoRef, switchBranch, worktreeOf } from '../../../src/git/place/branches.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { depsOf, openTemp } from '../open.ts';

test('that there is no ref is only said where the files tell', async () => {
  await using made = await openTemp();
  const ref = 'refs/pawl/r/rescue';
  expect(isNoRef(made.repo, ref)).toBe(true);
  await made.temp.git('update-ref', ref, 'HEAD');
  expect(isNoRef(made.repo, ref)).toBe(false);
  await made.temp.git('pack-refs', '--all');
  expect(isNoRef(made.repo, ref)).toBe(false);
  expect(isNoRef(made.repo, `${ref}s`)).toBe(true);
  mkdirSync(path.join(made.repo.commonDir, 'reftable'));
  expect(isNoRef(made.repo, `${ref}s`)).toBe(false);
});

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
});

test('a file that git ignores here, but not there, stays and is named', async () => {
  await using made = await openTemp({ files: { '.gitignore': 'notes\n' } });
  await made.temp.write('notes', 'theirs\n');
  await made.temp.git('add', '-f', 'notes');
  await made.temp.git('commit', '-qm', 'notes');
  await made.temp.git('branch', 'run');
  await made.temp.git('reset', '-q', '--hard', 'HEAD~1');
  await made.temp.write('notes', 'mine\n');
  await expect(switchBranch(made.repo, { branch: 'run', create: false })).rejects.toMatchObject({
    message: expect.stringContaining('would be overwritten by checkout: notes'),
  });
  expect(await made.temp.read('notes')).toBe('mine\n');
});

test('a branch that a cut-off start had made already is switched to', async () => {
  await using made = await openTemp();
  await made.temp.git('branch', 'run');
  await switchBranch(made.repo, { branch: 'run', create: true });
  expect(await made.temp.git('symbolic-ref', '--short', 'HEAD')).toBe('run');
});

test('a branch is checked out in working trees, not where the repository is bare', async () => {
  await using made = await openTemp();
  const [bare, tree] = ['bare', 'tree'].map((name) => path.join(made.home, name)) as [string, string];
  await made.temp.git('branch', 'run');
  await made.temp.git('clone', '-q', '--bare', '.', bare);
  await made.temp.git('--git-dir', bare, 'worktree', 'add', '-q', tree, 'run');
  const repo = await openRepo(tree, depsOf(made.home));
  expect([await worktreeOf(repo, 'run'), await worktreeOf(repo, 'main')]).toEqual([tree, '']);
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
