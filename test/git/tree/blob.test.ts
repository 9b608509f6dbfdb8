import { expect, test } from 'vitest';
import { readBlobs } from '../../../src/git/tree/blob.ts';
import { openTemp } from '../open.ts';

test('files are read as a commit holds them', async () => {
  await using made = await openTemp({ files: { 'a b/ü.txt': 'one\ntwo', empty: '' } });
  await made.temp.write('empty', 'later');
  const { repo } = made;
  const found = await readBlobs(repo, 'HEAD', [
    'gone',
    'empty',
    'a b',
    'a b/ü.txt',
    'two\nlines',
    'gone too',
  ]);
  expect(Object.fromEntries(found)).toEqual({ empty: '', 'a b/ü.txt': 'one\ntwo' });
  expect(await readBlobs(repo, 'HEAD', [])).toEqual(new Map());
});
