// Which of a person's changed files are left to whoever writes to them.
import { expect, test } from 'vitest';
import type { Place } from '../../../src/place/place.ts';
import { withoutLive } from '../../../src/work/guard/live-files.ts';
import { openTemp } from '../../git/open.ts';
import { fact, foldFacts } from '../../helpers/facts.ts';

test.each<[file: string, was: string, now: string, isLeft: boolean]>([
  ['night.log', 'one\n', 'one\ntwo\n', true],
  ['notes/nohup.out', 'one', 'one two', true],
  ['night.log', 'one\n', 'two\n', false],
  ['night.log', 'one\n', '', false],
  ['night.log', '', 'one\n', false],
  ['pytest.ini', '[pytest]\n', '[pytest]\naddopts = -x\n', false],
  ['.env.local', 'A=1\n', 'A=1\nB=2\n', false],
  ['more.py', 'a = 1\n', 'a = 1\nb = 2\n', false],
  ['made.log', 'one\n', 'one\ntwo\n', false],
])('%s, once %j and now %j: left %s', async (file, was, now, isLeft) => {
  await using made = await openTemp();
  const { temp, repo } = made;
  await temp.write(file, was);
  const oid = await temp.git('hash-object', '-w', file);
  await temp.write(file, now);
  const untracked = file === 'made.log' ? [] : [file];
  const state = () => foldFacts([fact('run-started', { untracked })]);
  const place = { repo, run: { state } } as unknown as Place;
  expect(await withoutLive(place, [{ file, oid }])).toHaveLength(isLeft ? 0 : 1);
});
