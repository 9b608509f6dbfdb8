import { expect, test } from 'vitest';
import { commitTree } from '../../../src/git/commit/commit.ts';
import { readFlags } from '../../../src/git/protect/snapshot.ts';
import { openTemp, treeAgainst } from '../open.ts';

test('a tree told against a commit that was just made differs in what changed since, and in nothing else', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const parent = await made.oid();
  await made.temp.write('a.txt', 'b\n');
  const { tree } = await treeAgainst(made, parent);
  const commit = await commitTree(made.repo, { tree, parent, message: 'b' });
  const oid = await made.oid();
  expect(commit).toMatchObject({ oid, tree, files: [{ file: 'a.txt', status: 'modified' }] });
  expect(await treeAgainst(made, oid)).toMatchObject({ tree, files: [] });
  expect((await treeAgainst(made, parent)).files.map(({ file }) => file)).toEqual(['a.txt']);
  await made.temp.write('a.txt', 'c\n');
  expect((await treeAgainst(made, oid)).files.map(({ file }) => file)).toEqual(['a.txt']);
  await made.temp.write('a.txt', 'b\n');
  expect(await treeAgainst(made, oid)).toMatchObject({ tree, files: [] });
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
