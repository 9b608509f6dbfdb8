import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { stampRefs } from '../../src/git/refs-stamp.ts';
import { readRefs } from '../../src/git/snapshot.ts';
import { type Opened, openTemp } from './open.ts';

const stamp = async (made: Opened): Promise<string | undefined> => {
  await wait(50);
  return stampRefs(made.repo);
};

test.each<[string, (made: Opened) => Promise<unknown> | unknown]>([
  ['a branch is made', (made) => made.temp.git('branch', 'x')],
  ['a branch moves', (made) => made.temp.git('update-ref', 'refs/heads/old', 'HEAD^')],
  ['a branch goes', (made) => made.temp.git('branch', '-D', 'old')],
  ['a tag is made in a folder', (made) => made.temp.git('tag', 'v/1')],
  ['refs are packed', (made) => made.temp.git('pack-refs', '--all')],
  ['something is stashed', (made) => made.temp.git('update-ref', 'refs/stash', 'HEAD')],
  [
    'a ref is written by hand',
    async (made) => {
      const file = path.join(made.repo.commonDir, 'refs/heads/old');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(text.trim(), await made.oid('HEAD^')));
    },
  ],
])('when %s the stamp is another, and what is read is true', async (_, act) => {
  await using made = await openTemp();
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'two');
  await made.temp.git('branch', 'old');
  const before = await stamp(made);
  expect(before).toBeTypeOf('string');
  expect(await stamp(made)).toBe(before);
  await readRefs(made.repo);
  await act(made);
  expect(await stamp(made)).not.toBe(before);
  const told = (await made.temp.git('for-each-ref', '--format=%(refname) %(objectname)')).split('\n');
  const { refs } = await readRefs(made.repo);
  expect([...refs].map(([ref, oid]) => `${ref} ${oid}`).sort()).toEqual(told.sort());
});

test('a state that is too young proves nothing', async () => {
  await using made = await openTemp();
  await made.temp.git('branch', 'old');
  const file = path.join(made.repo.commonDir, 'refs/heads/old');
  writeFileSync(file, readFileSync(file));
  expect(stampRefs(made.repo)).toBeUndefined();
});
