// How a lane gets to what landed, and that one that begins looks at the branch when no other lands.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FactOf } from '../../../src/event.ts';
import type { Repo } from '../../../src/git/run/repo.ts';
import { writeTree } from '../../../src/git/tree/tree.ts';
import { makeGround } from '../../../src/ground/make.ts';
import { landCommit, moveLane, soundHeadOf } from '../../../src/phase/lanes/branch.ts';
import { createLanes } from '../../../src/phase/lanes/lanes.ts';
import type { Place } from '../../../src/place/place.ts';
import type { WorkPlace } from '../../../src/work/landing.ts';
import { openTemp, rules, sh } from '../../git/open.ts';

test('a submodule goes where the branch has it', async () => {
  await using made = await openTemp();
  const { temp, index, oid } = made;
  sh(
    made,
    `git init -q "$HOME/lib"; for each in 1 2; do git -C "$HOME/lib" commit -qm $each --allow-empty; done
git -c protocol.file.allow=always submodule --quiet add "$HOME/lib" lib; git commit -qm lib`,
  );
  const from = await oid();
  const { repo } = await makeGround(made.repo, { folder: path.join(made.home, 'x-1'), commit: from });
  sh(made, 'git -C lib checkout -q HEAD^; git commit -qam moved');
  const commit = await oid();
  const { tree: known } = await writeTree(repo, index, { rules: rules() });
  const move = { known, tree: `${commit}^{tree}`, commit, reason: 'it moves' };
  const lib = path.join(repo.root, 'lib');
  const lane = { repo, index, run: { id: 'r', emit: () => undefined } } as unknown as Place;
  // Killed before the submodule moves.
  const at: Repo['at'] = (...given) => ({
    ...repo.at(...given),
    write: () => Promise.reject(new Error('killed')),
  });
  await expect(moveLane({ ...lane, repo: { ...repo, at } }, move, from)).rejects.toThrow('killed');
  await moveLane(lane, move);
  expect(await temp.git('-C', lib, 'rev-parse', 'HEAD')).toBe(await oid('HEAD:lib'));
});

test('what the branch has outside a sparse checkout stays outside, and in each tree', async () => {
  await using made = await openTemp({ files: { 'src/a': 'a\n', 'docs/a': 'a\n' } });
  const { index, oid } = made;
  const from = await oid();
  sh(
    made,
    'echo b > docs/a; echo b > docs/b; git add .; git commit -qm landed; git tag landed; git reset -q --hard HEAD^',
  );
  sh(made, 'git sparse-checkout set src');
  const commit = await oid('landed');
  const { repo } = await makeGround(made.repo, { folder: path.join(made.home, 'x-1'), commit: from });
  const writeNow = () => writeTree(repo, index, { rules: rules() });
  const { tree: known } = await writeNow();
  const move = { known, tree: `${commit}^{tree}`, commit, reason: 'it moves' };
  await moveLane({ repo, index, run: { id: 'r' } } as unknown as Place, move, from);
  expect(await repo.git(['status', '--porcelain'])).toBe('');
  rmSync(index);
  expect((await writeNow()).tree).toBe(await oid('landed^{tree}'));
});

test('what a lane ignores and the branch has by now is saved before it goes', async () => {
  await using made = await openTemp({ files: { '.gitignore': 'out.log\n' } });
  const { temp, repo, index, oid } = made;
  const from = await oid();
  await temp.write('out.log', 'landed\n');
  await temp.git('add', '-f', 'out.log');
  await temp.git('commit', '-qm', 'landed');
  const commit = await oid();
  await temp.git('reset', '-q', '--hard', from);
  await temp.write('out.log', 'lane\n');
  const { tree: known } = await writeTree(repo, index, { rules: rules() });
  const saved: FactOf<'rescue-saved'>[] = [];
  const run = { id: 'r', emit: (fact: FactOf<'rescue-saved'>) => saved.push(fact) };
  const move = { known, tree: `${commit}^{tree}`, commit, reason: 'it moves' };
  await moveLane({ repo, index, run } as unknown as Place, move, from);
  expect([await temp.read('out.log'), await oid()]).toEqual(['landed\n', commit]);
  expect(await temp.git('show', `${saved[0]?.oid}:out.log`)).toBe('lane');
});

test('lanes that begin take no landing for a session’s doing, and what a person committed one after the other', async () => {
  await using made = await openTemp({ files: { a: 'a\n' } });
  const { temp, repo, index, oid } = made;
  await temp.git('switch', '-q', '-c', 'mine');
  const parent = await oid();
  await temp.git('commit', '-q', '--allow-empty', '-m', 'lands');
  const landed = await oid();
  await temp.git('reset', '-q', '--hard', parent);
  const found: string[] = [];
  const run = {
    id: 'r',
    folder: made.home,
    emit: ({ type }: { type: string }) => found.push(type),
    config: { commit: { include: [] } },
    state: () => ({
      started: { run: 'r', branch: 'mine', untracked: [] },
      violations: [],
      leftOut: new Map(),
    }),
  };
  const taken: string[] = [];
  const take = async (makeWay: () => Promise<void>) => {
    taken.push('begins');
    await makeWay();
    taken.push(await temp.read('a'));
  };
  const home = { take, bring: () => Promise.resolve(), keep: () => Promise.resolve(), homeOf: () => '' };
  let looks: Promise<readonly string[]> | undefined;
  // As it moves, two others begin, and have all the time to look at it.
  const write: Repo['write'] = async (label, ...rest) => {
    const written = await repo.write(label, ...rest);
    looks ??= Promise.all([soundHeadOf(lanes), soundHeadOf(lanes)]);
    await Promise.race([looks, sleep(300)]);
    return written;
  };
  const trunk = { repo: { ...repo, write }, index, run, plan: { tracked: true }, home };
  const lanes = createLanes(trunk as unknown as WorkPlace);
  lanes.head = parent;
  await writeTree(repo, index, { rules: rules() });
  expect(await landCommit(lanes, {} as Place, { oid: landed, parent, task: '1' })).toBe(true);
  expect([await looks, await oid(), found]).toEqual([[landed, landed], landed, []]);
  await temp.write('a', 'strange\n');
  expect(await soundHeadOf(lanes)).toBe(landed);
  expect(taken).toEqual(['begins', 'a\n', 'begins', 'a\n', 'begins', 'a\n']);
});
