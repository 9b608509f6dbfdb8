// The working tree that a run is taken up in: what is in it and in no commit is never overwritten, whether git ignores it or not.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { foldRun } from '../../../src/journal/fold.ts';
import { parseJournal } from '../../../src/journal/read-journal.ts';
import {
  findInTheWay,
  findTree,
  refuseChanges,
  setLeftoverAside,
} from '../../../src/start/carry/find-tree.ts';
import { makeWorld } from '../../cli/world.ts';
import { openTemp } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const sampleCarried = {
  ...{
    oid: 'c',
    parents: [],
    files: new Map(),
    work: undefined,
    owner: 'abcdefgh',
    host: 'laptop',
    pawl: '0',
  },
  ...{
    at: '2026-01-01T00:00:00.000Z',
    plan: 'plan.md',
    title: 'Plan',
    ended: false,
    ref: 'refs/pawl/r/carried',
  },
};

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
  const refused = () => refuseChanges(repo, [target, work], undefined);
  await refused();
  await temp.write('mine.txt', 'mine\n');
  await refused();
  await temp.write('.git/info/exclude', 'b.txt\n');
  await temp.write('b.txt', 'precious\n');
  await expect(refused()).rejects.toThrow(/has files that the run would overwrite: b\.txt$/);
  await temp.git('clean', '-qfdx');
  mkdirSync(path.join(repo.root, 'b.txt'));
  await temp.write('b.txt/x', 'precious\n');
  await expect(refused()).rejects.toThrow('would overwrite: b.txt/x');
  await temp.git('clean', '-qfdx');
  await temp.write('a.txt', 'changed\n');
  await expect(refused()).rejects.toThrow('would overwrite: a.txt');
});

test('what was changed since the run began goes into a rescue point, staged or not; what was there before it, or is too big for one, stays', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n', 'b.txt': 'b\n' } });
  const { repo, temp, oid } = opened;
  await temp.write('notes.txt', 'mine\n');
  const local = stateOf({ ...sampleFacts['run-started'], untracked: ['notes.txt'] });
  await temp.write('a.txt', 'of a session\n');
  await temp.git('add', 'a.txt');
  await temp.write('a.txt', 'or of a person\n');
  await temp.write('later.txt', 'by a person\n');
  await temp.write('huge.bin', 'x'.repeat(11 << 20));
  const leftover = await refuseChanges(repo, [await oid()], local);
  expect([...leftover].sort()).toEqual(['a.txt', 'later.txt']);
  const all = await setLeftoverAside(repo, { run: local.started.run, leftover });
  expect(await temp.git('status', '--short')).toBe('?? huge.bin\n?? notes.txt');
  expect(await temp.git('show', `${all}:later.txt`, `${all}:a.txt`)).toBe('by a person\nor of a person');
  expect(await temp.git('show', `${all}^3:a.txt`)).toBe('of a session');
});

function stateOf(...facts: readonly object[]) {
  const lines = facts.map((fact) => JSON.stringify({ v: 5, at: '2026-01-02T03:04:00.000Z', ...fact }));
  const state = foldRun(parseJournal(`${lines.join('\n')}\n`, 'journal'));
  if (!state) throw new Error('it is there');
  return state;
}

test('a tree in which a person has the branch checked out is not worked in', async () => {
  using world = makeWorld();
  await using opened = await openTemp();
  const { repo, temp, oid } = opened;
  const target = await oid();
  await temp.git('branch', 'plan');
  const carried = { ...sampleCarried, run: '20260102-030405-plan', branch: 'plan', head: target };
  const find = () => findTree(world.context(), repo, { carried, target, local: undefined });
  expect(await find()).toBeUndefined();
  const theirs = path.join(world.top, 'theirs');
  await temp.git('worktree', 'add', '-q', theirs, 'plan');
  await expect(find()).rejects.toMatchObject({
    message: `the branch plan is checked out in ${theirs}`,
    hint: expect.stringContaining(`git -C ${theirs} switch --detach`),
  });
});
