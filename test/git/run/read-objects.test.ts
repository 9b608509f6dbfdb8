import { expect, test } from 'vitest';
import { findBlobs, readBlobs } from '../../../src/git/run/read-objects.ts';
import { openTemp } from '../open.ts';

test('a file is compared in several trees at once', async () => {
  await using made = await openTemp({ files: { 'a b/ü.txt': 'one', same: 'one' } });
  const names = ['gone', 'a b/ü.txt', 'two\nlines', 'a b', 'same'];
  const asked = names.flatMap((file) => ['HEAD', 'HEAD^{tree}'].map((tree) => ({ tree, file })));
  const one = await made.oid('HEAD:same');
  const none = undefined;
  expect(await findBlobs(made.repo, asked)).toEqual([none, none, one, one, none, none, none, none, one, one]);
});

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
