// A commit is put lower in a branch: the same files at the end, or it stays where it is.
import { expect, test } from 'vitest';
import { moveCommit } from '../../../src/git/lane/merge-trees.ts';
import { openTemp } from '../open.ts';

type Change = Readonly<{ says: string; files: Readonly<Record<string, string>> }>;
const change = (says: string, files: Change['files']): Change => ({ says, files });

const [a, b] = [change('a', { 'a.txt': 'a\n' }), change('b', { 'b.txt': 'b\n' })];

test.each<[string, readonly Change[], string, readonly string[] | RegExp]>([
  ['goes below the commits between', [a, b, change('fix', { 'a.txt': 'a\na\n' })], 'a', ['b', 'fix', 'a']],
  [
    'stays if the commits between have changed the same lines',
    [a, change('b', { 'a.txt': 'b\n' }), change('fix', { 'a.txt': 'c\n' })],
    'a',
    /conflict/,
  ],
])('it %s', async (_, changes, after, expected) => {
  await using opened = await openTemp();
  const { repo, temp: made } = opened;
  for (const { says, files } of changes) {
    for (const [file, text] of Object.entries(files)) await made.write(file, text);
    await made.git('add', '.');
    await made.git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.invalid', 'commit', '-qm', says);
  }
  const before = await made.git('rev-parse', 'HEAD');
  const oid = await made.git('log', '-1', '--format=%H', '--grep=^fix$');
  const low = await made.git('log', '-1', '--format=%H', `--grep=^${after}$`);
  const why = await moveCommit(repo, { run: 'r1', oid, after: low });
  const kept = await made.git('for-each-ref', '--format=%(objectname)', '--count=1', 'refs/pawl/r1/moved');
  if (expected instanceof RegExp) {
    expect([why, await made.git('rev-parse', 'HEAD'), kept]).toEqual([
      expect.stringMatching(expected),
      before,
      '',
    ]);
    return;
  }
  expect(why).toBeUndefined();
  expect((await made.git('log', '--format=%s %an', `-${expected.length}`)).split('\n')).toEqual(
    expected.map((says) => `${says} Ann`),
  );
  expect(kept).toBe(before);
  expect(await made.git('status', '--porcelain')).toBe('');
  expect(await made.git('rev-parse', 'HEAD^{tree}')).toBe(await made.git('rev-parse', `${before}^{tree}`));
});
