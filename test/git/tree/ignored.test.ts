import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findIgnoredFiles } from '../../../src/git/tree/ignored.ts';
import { openTemp } from '../open.ts';

test('files that git ignores are found with their rule, others are not', async () => {
  const rules = 'lib/\n*.log\n!keep.log\n';
  await using made = await openTemp({ files: { '.gitignore': rules, 'sub/.gitignore': 'ü.txt\n' } });
  const { temp, repo } = made;
  await temp.write('lib/tracked.ts', 'x');
  await temp.git('add', '-f', 'lib/tracked.ts');
  const there = [
    'lib/a b.ts',
    'keep.log',
    'sub/ü.txt',
    'src/a.ts',
    '.git/x.log',
    'inner/.git/x',
    'inner/x.log',
  ];
  for (const file of there) await temp.write(file, 'x');
  await temp.git('-C', 'lib', 'init', '-q', 'own');
  await temp.write('lib/own/x.ts', 'x');
  mkdirSync(path.join(temp.path, 'lib/folder'));
  symlinkSync(path.dirname(temp.path), path.join(temp.path, 'out'));
  symlinkSync('lib', path.join(temp.path, 'linked'));
  const names = [...there, 'lib/tracked.ts', 'lib/folder', 'lib/none.ts', '../x.log', 'out/x.log'];
  const found = await findIgnoredFiles(repo, [
    ...names.map((name) => path.join(temp.path, name)),
    'linked/a b.ts',
    '/etc/passwd',
  ]);
  expect(found).toEqual([
    { file: 'lib/a b.ts', rule: 'lib/ in .gitignore, line 1' },
    { file: 'sub/ü.txt', rule: 'ü.txt in sub/.gitignore, line 1' },
    { file: 'inner/x.log', rule: '*.log in .gitignore, line 2' },
  ]);
  expect(await findIgnoredFiles(repo, [])).toEqual([]);
});
