// The slots that working trees of runs lie in: which repository's, which number, who makes one, what a killed start left.
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FactOf, Stamped } from '../../../src/event.ts';
import { startState } from '../../../src/journal/start-state.ts';
import { judgeSlot, type TreeRun } from '../../../src/start/worktree/reclaim.ts';
import {
  freeSlot,
  listSlots,
  reserveSlot,
  type Slot,
  slotsFolder,
} from '../../../src/start/worktree/slot.ts';
import { fact, stampAll } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const now = new Date('2026-11-21T22:30:00.000Z');
const start = { plan: 'a.md', name: 'a', now };

test.each([
  ['a clone', '/srv/shop/.git', /^shop-[0-9a-f]{8}$/],
  ['a bare repository', '/srv/shop.git', /^shop-[0-9a-f]{8}$/],
  ['one at the root', '/.git', /^repository-[0-9a-f]{8}$/],
])('%s has a folder of its own', (_, commonDir, name) => {
  expect(path.basename(slotsFolder('/state', commonDir))).toMatch(name);
  expect(slotsFolder('/state', commonDir)).not.toBe(slotsFolder('/state', `/other${commonDir}`));
});

test('slots are taken by the lowest free number, named while they are made, and free again when nothing is in them', () => {
  using state = makeTempFolder();
  const all = slotsFolder(state.path, '/srv/shop/.git');
  const list = () => listSlots(state.path, '/srv/shop/.git');
  expect(list()).toEqual([]);
  const first = reserveSlot(all, start);
  const second = reserveSlot(all, { ...start, plan: 'pawl.md', name: 'pawl' });
  expect([first.tree, second.tree]).toEqual([path.join(all, '1/a'), path.join(all, '2/pawl-run')]);
  expect(list().map(({ maker }) => maker?.plan)).toEqual(['a.md', 'pawl.md']);
  mkdirSync(second.tree);
  first[Symbol.dispose]();
  second[Symbol.dispose]();
  expect(list()).toMatchObject([{ number: 2, tree: second.tree }]);
  expect(list()[0]?.maker).toBeUndefined();
  expect(reserveSlot(all, start).number).toBe(1);
  freeSlot(path.join(all, '2'));
  expect(existsSync(second.tree)).toBe(true);
});

test('the tree has a real path where the folder is reached through a link, which the list tells too', () => {
  using state = makeTempFolder();
  mkdirSync(path.join(state.path, 'disk'));
  symlinkSync('disk', path.join(state.path, 'linked'));
  const linked = path.join(state.path, 'linked');
  const { tree } = reserveSlot(slotsFolder(linked, '/srv/shop/.git'), start);
  mkdirSync(tree);
  expect(realpathSync(tree)).toBe(tree);
  expect(listSlots(linked, '/srv/shop/.git')).toMatchObject([{ tree }]);
});

test('a slot whose maker was killed before it made a tree is taken again, one without a lock is not', () => {
  using state = makeTempFolder();
  const all = slotsFolder(state.path, '/srv/shop/.git');
  mkdirSync(path.join(all, '1/pawl'), { recursive: true });
  writeFileSync(path.join(all, '1/pawl/lock'), '{"pid":1');
  mkdirSync(path.join(all, '2'));
  using slot = reserveSlot(all, start);
  expect(slot.number).toBe(1);
  expect(readdirSync(all)).toEqual(['1', '2']);
});

const worktree = { path: '/state/1/a', from: '/srv/shop', portOffset: 100 };
const [started, end] = [
  ...stampAll([fact('run-started', { worktree })]),
  ...stampAll([fact('run-ended', { finished: true })]),
] as const;
const begun = startState(started as Stamped<FactOf<'run-started'>>);
const ended = { ...begun, ended: end as Stamped<FactOf<'run-ended'>> };
const run = { run: 'r1', folder: '/runs/r1', plan: 'a.md', worktree };

test.each<[string, readonly TreeRun[], Partial<Slot>, string | undefined]>([
  ['no run knows it', [], {}, undefined],
  ['its run is finished', [{ ...run, state: ended }], {}, undefined],
  ['its run is not', [{ ...run, state: begun }], {}, 'run r1 is not finished'],
  ['the journal of its run cannot be read', [{ ...run, state: undefined }], {}, 'run r1 is not finished'],
  [
    'one of its runs is not',
    [
      { ...run, state: ended },
      { ...run, run: 'r0', state: begun },
    ],
    {},
    'run r0',
  ],
  [
    'a run elsewhere is not',
    [{ ...run, worktree: { ...worktree, path: '/x' }, state: begun }],
    {},
    undefined,
  ],
  ['it is being made', [], { maker: { pid: 7 } as Slot['maker'] & object }, 'process 7) is making it'],
])('a slot: %s', (_, runs, over, why) => {
  const slot = { number: 1, folder: '/state/1', tree: '/state/1/a', ...over };
  const judged = judgeSlot(slot, runs);
  if (why === undefined) expect(judged).toBeUndefined();
  else expect(judged).toContain(why);
});
