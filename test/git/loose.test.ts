import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isNoRef, parseCommit, readLooseCommit, readLooseRef } from '../../src/git/loose.ts';
import { openTemp } from './open.ts';

test('a commit from its own file is what git says', async () => {
  await using made = await openTemp();
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'über\n\nPawl-Task: 1');
  const oid = await made.oid();
  expect(readLooseCommit(made.repo, oid)).toEqual({
    oid,
    tree: await made.oid('HEAD^{tree}'),
    parents: [await made.oid('HEAD^')],
    message: 'über\n\nPawl-Task: 1\n',
  });
});

test('a packed commit, a tree and a file of other bytes are none', async () => {
  await using made = await openTemp();
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'one');
  const [first, second, tree] = [await made.oid('HEAD^'), await made.oid(), await made.oid('HEAD^{tree}')];
  const fileOf = (oid: string) => path.join(made.repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
  expect(readLooseCommit(made.repo, tree)).toBeUndefined();
  const bytes = readFileSync(fileOf(first));
  await made.temp.git('repack', '-adq');
  expect(readLooseCommit(made.repo, second)).toBeUndefined();
  mkdirSync(path.dirname(fileOf(second)), { recursive: true });
  writeFileSync(fileOf(second), bytes);
  expect(readLooseCommit(made.repo, second)).toBeUndefined();
});

test('a commit in another encoding is left to git', () => {
  const text = `tree ${'a'.repeat(40)}\nauthor A <a@b> 0 +0000\nencoding latin1\n\nx\n`;
  expect(parseCommit('b'.repeat(40), text)).toBeUndefined();
  expect(parseCommit('b'.repeat(40), text.replace('encoding latin1\n', ''))).toMatchObject({
    parents: [],
    message: 'x\n',
  });
});

test('a ref’s own file, and one that is packed', async () => {
  await using made = await openTemp();
  expect(readLooseRef(made.repo, 'refs/heads/main')).toBe(await made.oid());
  await made.temp.git('pack-refs', '--all');
  expect(readLooseRef(made.repo, 'refs/heads/main')).toBeUndefined();
});

test('that there is no ref is only said where the files tell', async () => {
  await using made = await openTemp();
  const ref = 'refs/pawl/r/rescue';
  expect(isNoRef(made.repo, ref)).toBe(true);
  await made.temp.git('update-ref', ref, 'HEAD');
  expect(isNoRef(made.repo, ref)).toBe(false);
  await made.temp.git('pack-refs', '--all');
  expect(isNoRef(made.repo, ref)).toBe(false);
  expect(isNoRef(made.repo, `${ref}s`)).toBe(true);
  mkdirSync(path.join(made.repo.commonDir, 'reftable'));
  expect(isNoRef(made.repo, `${ref}s`)).toBe(false);
});
