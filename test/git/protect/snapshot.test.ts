import { describe, expect, test } from 'vitest';
import { commitTree } from '../../../src/git/commit/commit.ts';
import { readFlags, readHeadCommit } from '../../../src/git/protect/snapshot.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { depsOf, type Opened, openTemp, treeAgainst } from '../open.ts';

describe('the commit of HEAD is what git says, wherever it is written', () => {
  test.each<[string, (made: Opened) => Promise<unknown>]>([
    ['a loose branch', async () => {}],
    ['a packed one', ({ temp }) => temp.git('pack-refs', '--all')],
    [
      'a loose one over a packed one',
      async ({ temp }) => {
        await temp.git('pack-refs', '--all');
        await temp.git('commit', '--quiet', '--allow-empty', '--message=next');
      },
    ],
    ['a branch in a folder', ({ temp }) => temp.git('switch', '--quiet', '--create', 'feat/a')],
    ['no branch', ({ temp }) => temp.git('switch', '--quiet', '--detach')],
  ])('%s', async (_, prepare) => {
    await using made = await openTemp();
    await prepare(made);
    expect(await readHeadCommit(made.repo)).toBe(await made.oid());
  });

  test('a branch that is another’s name, checked out', async () => {
    await using made = await openTemp();
    await made.temp.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    await made.temp.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    expect(await readHeadCommit(made.repo)).toBe(await made.oid());
  });

  test('a worktree’s own', async () => {
    await using made = await openTemp();
    const other = `${made.home}/other`;
    await made.temp.git('worktree', 'add', '--quiet', '-b', 'other', other);
    const repo = await openRepo(other, depsOf(made.home));
    await made.temp.git('commit', '--quiet', '--allow-empty', '--message=elsewhere');
    expect(await readHeadCommit(repo)).toBe(await made.oid('other'));
  });

  test('no commit yet', async () => {
    await using made = await openTemp();
    await made.temp.git('switch', '--quiet', '--orphan', 'empty');
    await expect(readHeadCommit(made.repo)).rejects.toMatchObject({ code: 'git' });
  });
});

test('a tree told against a commit that was just made differs in what changed since, and in nothing else', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const write = (against: string) => treeAgainst(made, against);
  const parent = await made.oid();
  await made.temp.write('a.txt', 'b\n');
  const { tree } = await write(parent);
  const commit = await commitTree(made.repo, { tree, parent, message: 'b' });
  const oid = await made.oid();
  expect(commit).toMatchObject({ oid, tree, files: [{ file: 'a.txt', status: 'modified' }] });
  expect(await write(oid)).toMatchObject({ tree, files: [] });
  expect((await write(parent)).files.map(({ file }) => file)).toEqual(['a.txt']);
  await made.temp.write('a.txt', 'c\n');
  expect((await write(oid)).files.map(({ file }) => file)).toEqual(['a.txt']);
  await made.temp.write('a.txt', 'b\n');
  expect(await write(oid)).toMatchObject({ tree, files: [] });
});

test('flags that hide changes are read anew when the index is another, and only then', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n', 'b.ts': 'b\n' } });
  const none = await readFlags(made.repo);
  expect([...none]).toEqual([]);
  await made.temp.write('a.ts', 'b\n');
  expect(await readFlags(made.repo)).toBe(none);
  await made.temp.git('update-index', '--assume-unchanged', 'a.ts');
  await made.temp.git('update-index', '--skip-worktree', 'b.ts');
  expect([...(await readFlags(made.repo))]).toEqual([
    ['a.ts', 'h'],
    ['b.ts', 'S'],
  ]);
  await made.temp.git('update-index', '--no-assume-unchanged', 'a.ts');
  await made.temp.git('update-index', '--no-skip-worktree', 'b.ts');
  expect([...(await readFlags(made.repo))]).toEqual([]);
});
