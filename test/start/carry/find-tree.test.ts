// The working tree that a run is taken up in: what is in it and in no commit is never overwritten, whether git ignores it or not.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findInTheWay, refuseChanges } from '../../../src/start/carry/find-tree.ts';
import { openTemp } from '../../git/open.ts';

test.each([
  ['the file itself', ['a.txt', 'b.txt'], ['b.txt'], ['b.txt']],
  ['another spelling of it', ['B.txt'], ['b.txt'], ['B.txt']],
  ['a file where a folder comes', ['out'], ['out/a/b.txt'], ['out']],
  ['files in a folder where a file comes', ['out/a/x', 'other/x'], ['out/a'], ['out/a/x']],
  ['a repository of its own in the folder', ['lib/'], ['lib/a.txt'], ['lib/']],
  ['names that only begin alike', ['out', 'a.txt.bak'], ['outer/x', 'a.txt'], []],
])('%s', (_, untracked, coming, expected) => {
  expect(findInTheWay(untracked, coming)).toEqual(expected);
});

test('an ignored file that the run committed, an untracked one of its open work, and a changed one are refused', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  const { repo, temp, oid } = opened;
  const target = await oid();
  await temp.git('rm', '-q', 'b.txt');
  await temp.git('commit', '-qm', 'without b');
  const work = await oid('HEAD^{tree}');
  const refused = () => refuseChanges(repo, [target, work], repo.root);
  await refused();
  await temp.write('mine.txt', 'mine\n');
  await refused();
  await temp.write('.git/info/exclude', 'b.txt\n');
  await temp.write('b.txt', 'precious\n');
  await expect(refused()).rejects.toThrow(/has what the run would overwrite: b\.txt$/);
  await temp.git('clean', '-qfdx');
  mkdirSync(path.join(repo.root, 'b.txt'));
  await temp.write('b.txt/x', 'precious\n');
  await expect(refused()).rejects.toThrow('would overwrite: b.txt/x');
  await temp.git('clean', '-qfdx');
  await temp.write('a.txt', 'changed\n');
  await expect(refused()).rejects.toThrow('would overwrite: a.txt');
});
