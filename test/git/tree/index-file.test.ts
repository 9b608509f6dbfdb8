// An index that takes the place of another brings its tree with it, and one that moves with its files has theirs: what was
// last written from it is forgotten.
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  moveIndex,
  moveTree,
  readyIndex,
  replaceIndex,
  setIndex,
  writeIndexTree,
} from '../../../src/git/tree/index-file.ts';
import { openTemp } from '../open.ts';

test('an index that was moved over another is written as its own tree', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo, temp, oid } = opened;
  const first = await oid('HEAD^{tree}');
  await temp.write('a.txt', 'b\n');
  await temp.git('commit', '-qam', 'b');
  const second = await oid('HEAD^{tree}');
  const index = path.join(repo.gitDir, 'pawl-index');
  await readyIndex(repo, index, first);
  expect(await writeIndexTree(repo, index)).toBe(first);
  const other = `${index}.other`;
  replaceIndex(index, other);
  await setIndex(repo, second, other);
  moveIndex(other, index);
  expect(await writeIndexTree(repo, index)).toBe(second);
});

test('an index that was moved with its files is written as the tree that they are now', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo, temp, oid } = opened;
  const first = await oid('HEAD^{tree}');
  await temp.write('a.txt', 'b\n');
  await temp.git('commit', '-qam', 'b');
  const second = await oid('HEAD^{tree}');
  const index = path.join(repo.gitDir, 'pawl-index');
  await readyIndex(repo, index, second);
  expect(await writeIndexTree(repo, index)).toBe(second);
  await moveTree(repo, index, { from: second, to: first });
  expect(await writeIndexTree(repo, index)).toBe(first);
  expect(await temp.read('a.txt')).toBe('a\n');
});
