// What new ignore rules hide, wherever they are written, and what the rules of before, tools and persons leave alone.
import path from 'node:path';
import { expect, test } from 'vitest';
import { findHidden, keepIgnoreRules, takeIgnoreRules } from '../../../src/git/tree/hidden.ts';
import { findIgnoredFiles } from '../../../src/git/tree/ignored.ts';
import { lookAtTree } from '../../../src/git/tree/look.ts';
import { openTemp } from '../open.ts';

test('what is ignored now and was not by the rules that were kept', async () => {
  await using made = await openTemp({
    files: { '.gitignore': 'old/\n*.log\n', 'lib/a.ts': 'x', 'lib/.gitignore': 'ö.txt\n' },
  });
  const { temp, repo } = made;
  const folder = path.join(temp.path, '.git', 'rules');
  const find = async () =>
    findHidden(repo, folder, await lookAtTree(repo, path.join(temp.path, '.git', 'own-index')));
  expect(await find()).toEqual({ names: [], files: [] });
  await temp.write('new/.gitignore', 'early\n');
  await keepIgnoreRules(repo, folder);
  await temp.write('.gitignore', 'src/\n*.out\nold/\nnode_modules/\ntarget/\nown/\n');
  await temp.write('deep/er/.gitignore', '*\n');
  await temp.write('lib/.gitignore', '*.txt\n');
  const there = ['src/a b.ts', 'src/c.log', 'lib/b.out', 'lib/ü.txt', 'deep/er/ö.ts', 'own/x.ts'];
  const others = ['old/a.ts', 'lib/ö.txt', 'src/node_modules/x', 'target/CACHEDIR.TAG', 'new/early'];
  for (const file of [...there, ...others]) await temp.write(file, 'x');
  await temp.git('-C', 'own', 'init', '-q');
  const { names, files } = await find();
  expect(names).toEqual(['deep/er/.gitignore', 'deep/er/ö.ts', 'lib/b.out', 'lib/ü.txt', 'own/', 'src/']);
  expect(files).toEqual([
    'deep/er/.gitignore',
    'deep/er/ö.ts',
    'lib/b.out',
    'lib/ü.txt',
    'own/',
    'src/a b.ts',
  ]);
  expect((await findIgnoredFiles(repo, files)).map(({ file }) => file)).toEqual(files);
  takeIgnoreRules(repo, folder, '.gitignore');
  expect((await find()).files).toEqual(['deep/er/.gitignore', 'deep/er/ö.ts', 'lib/ü.txt']);
});
