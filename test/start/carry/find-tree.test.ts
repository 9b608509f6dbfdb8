// The working tree that a run is taken up in: what is in it and in no commit is never overwritten, whether git ignores it or not.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findInTheWay, findTree, refuseChanges } from '../../../src/start/carry/lay-out.ts';
import { makeWorld } from '../../cli/world.ts';
import { openTemp } from '../../git/open.ts';

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
  const refused = () => refuseChanges(repo, [target, work]);
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
