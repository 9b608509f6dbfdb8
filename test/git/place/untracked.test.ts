// What of a tree's untracked files is meant by globs: each file, or a folder as a whole.
import { expect, test } from 'vitest';
import { findUntracked, listClonable } from '../../../src/git/place/untracked.ts';
import { openTemp } from '../open.ts';

test('globs mean untracked files and folders, wherever they lie; a folder without tracked files is one', async () => {
  await using made = await openTemp({
    files: { '.gitignore': 'node_modules/\n', 'packages/a/index.ts': '' },
  });
  const { repo } = made;
  for (const file of ['node_modules/own/index.js', 'packages/a/node_modules/b/index.js', '.env'])
    await made.temp.write(file, '');
  const globs = ['node_modules', '.env', 'packages/a'];
  expect(await listClonable(repo, globs)).toEqual(['.env', 'node_modules', 'packages/a/node_modules']);
  expect(await listClonable(repo, ['./packages/*/node_modules/'])).toEqual(['packages/a/node_modules']);
  expect(await findUntracked(repo, globs)).toEqual([
    '.env',
    'node_modules/own/index.js',
    'packages/a/node_modules/b/index.js',
  ]);
});
