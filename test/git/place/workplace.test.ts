import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findDefaultBranch } from '../../../src/git/place/branches.ts';
import { judgeWorkplace, readWorkplace } from '../../../src/git/place/workplace.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { cleanWorkplace } from '../../helpers/workplace.ts';
import { depsOf, openTemp, sh } from '../open.ts';

const facts = cleanWorkplace;

test.each([
  ['a clean branch', {}, undefined],
  ['untracked files', { untracked: ['x'] }, undefined],
  ['no commit yet', { head: '' }, 'no commit'],
  ['nobody known', { identity: undefined }, 'who commits'],
  ['detached', { branch: undefined }, 'detached'],
  ['a merge', { operation: 'merge' }, 'merge is in progress'],
  ['a bisect', { operation: 'bisect' }, 'bisect is in progress'],
  ['dirt names its files', { dirt: ['a.ts', 'b.ts'] }, 'a.ts, b.ts'],
  ['much dirt is bounded', { dirt: Array.from({ length: 99 }, (_, at) => `f${at}`) }, 'and 89 more'],
] as const)('%s', (_, over, expected) => {
  const failure = judgeWorkplace({ ...facts, ...over });
  expect(failure?.code).toBe(expected === undefined ? undefined : 'preflight');
  expect(failure?.message ?? '').toContain(expected ?? '');
  expect(failure === undefined || failure.hint !== undefined).toBe(true);
});

test('a run that is resumed takes up what was cut off, but commits need an identity', () => {
  const cut = { ...facts, branch: undefined, operation: 'rebase', dirt: ['a'], head: '' } as const;
  expect(judgeWorkplace(cut, { resuming: true })).toBeUndefined();
  expect(judgeWorkplace({ ...cut, identity: undefined }, { resuming: true })?.code).toBe('preflight');
});

test.each([
  ['the remote says', { remoteHeads: ['refs/remotes/origin/develop'] }, 'develop'],
  ['origin before others', { remoteHeads: ['refs/remotes/a/x', 'refs/remotes/origin/team/y'] }, 'team/y'],
  ['another remote', { remoteHeads: ['refs/remotes/upstream/trunk'] }, 'trunk'],
  ['the setting, where such a branch is', { configured: 'dev', branches: ['dev', 'main'] }, 'dev'],
  ['the setting, where none is', { configured: 'dev', branches: ['main', 'x'] }, 'main'],
  ['a usual name that is checked out', { branches: ['develop', 'main'], current: 'develop' }, 'develop'],
  ['a usual name', { branches: ['feature', 'master'], current: 'feature' }, 'master'],
  ['trunk', { branches: ['a', 'trunk'], current: 'a' }, 'trunk'],
  ['the only one', { branches: ['solo'], current: 'solo' }, 'solo'],
  ['none', { branches: ['a', 'b'], current: 'a' }, undefined],
] as const)('the default branch: %s', (_, over, expected) => {
  const found = findDefaultBranch({
    remoteHeads: [],
    configured: '',
    branches: [],
    current: undefined,
    ...over,
  });
  expect(found).toBe(expected);
});

describe('a real repository', () => {
  test('is read whole', async () => {
    await using made = await openTemp({
      files: { 'a.ts': 'a', 'plan.md': 'p', '.gitignore': '*.draft.md\n' },
    });
    sh(
      made,
      `git branch old; git commit -q --allow-empty -m two; git branch ahead; git switch -q ahead
git commit -q --allow-empty -m three; git switch -q -c other old; git commit -q --allow-empty -m other
git switch -q main; git worktree add -q $HOME/w old; git tag v1
echo x | tee a.ts plan.md staged.ts free.ts > $HOME/said; git add staged.ts`,
    );
    const read = await readWorkplace(made.repo, { plan: path.join(made.temp.path, 'plan.md') });
    expect(read).toEqual({
      root: made.temp.path,
      head: await made.oid(),
      branch: 'main',
      identity: 'Test <test@example.invalid>',
      operation: undefined,
      dirt: ['a.ts', 'staged.ts'],
      untracked: ['free.ts'],
      planChanged: true,
      planIgnored: false,
      defaultBranch: 'main',
      branches: new Map([
        ['ahead', { relation: 'ahead', worktree: undefined }],
        ['main', { relation: 'same', worktree: undefined }],
        ['old', { relation: 'behind', worktree: path.join(made.home, 'w') }],
        ['other', { relation: 'diverged', worktree: undefined }],
      ]),
      tags: new Set(['v1']),
      warnings: [],
    });
    const ignored = await readWorkplace(made.repo, { plan: path.join(made.temp.path, 'x.draft.md') });
    expect(ignored.planIgnored).toBe(true);
    expect((await readWorkplace(made.repo, { plan: '/elsewhere/plan.md' })).planIgnored).toBe(false);
  });

  test('without a commit, without an identity', async () => {
    await using made = await openTemp();
    const bare = path.join(made.home, 'fresh');
    mkdirSync(bare);
    await made.temp.git('init', '-q', '-b', 'trunk', bare);
    const repo = await openRepo(bare, depsOf(made.home));
    await repo.git(['config', 'user.useConfigOnly', 'true']);
    const read = await readWorkplace(repo);
    expect(read).toMatchObject({ head: '', branch: 'trunk', identity: undefined });
    expect(judgeWorkplace(read)?.message).toContain('no commit');
  });

  test('what prevents no run is a warning', async () => {
    await using made = await openTemp();
    expect((await readWorkplace(made.repo)).warnings).toEqual([]);
    sh(
      made,
      'git config core.sparseCheckout yes; printf "[commit]\\ngpgSign\\n" >> .git/config; git tag main',
    );
    sh(made, 'git rev-parse heads/main > .git/shallow; touch .gitmodules');
    const words = (await readWorkplace(made.repo)).warnings.map(
      (each) => /shallow|sparse|signed|submodules|heads.main/.exec(each)?.[0],
    );
    expect(words).toEqual(['shallow', 'sparse', 'signed', 'submodules', 'heads/main']);
  });

  test('the default branch as the remote says', async () => {
    await using made = await openTemp();
    await made.temp.git('update-ref', 'refs/remotes/origin/develop', 'HEAD');
    await made.temp.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
    expect((await readWorkplace(made.repo)).defaultBranch).toBe('develop');
  });
});
