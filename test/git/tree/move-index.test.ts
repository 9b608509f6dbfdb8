// An index that takes the place of another brings its tree with it: what the other was last written as is forgotten.
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  moveIndex,
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
