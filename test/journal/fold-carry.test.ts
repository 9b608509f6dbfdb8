// What a run knows of its carrying, and what becomes of work whose rescues stayed on another machine.
import { expect, test } from 'vitest';
import { takeCommand } from '../../src/event/again.ts';
import type { Fact } from '../../src/event.ts';
import { stateOf as fold, sampleFacts, setAside } from '../helpers/facts.ts';

const {
  'carry-begun': begun,
  'carry-done': carried,
  'carry-failed': failed,
  'carry-taken-up': taken,
  'carry-fenced': fenced,
} = sampleFacts;

test('a failure is over with the next carry, but for a branch that is another’s; a fence and a taking up are known', () => {
  expect(fold(begun, failed).carry?.failed).toEqual(expect.objectContaining({ what: 'all' }));
  expect(fold(begun, failed, carried).carry).toEqual({
    ...{ remote: 'origin', oid: carried.oid, head: carried.head, takenFrom: [] },
  });
  expect(fold(begun, { ...failed, what: 'branch' }, carried).carry?.failed?.what).toBe('branch');
  const caughtUp = { ...carried, caughtUp: true } as const;
  expect(fold(begun, { ...failed, what: 'branch' }, caughtUp).carry?.failed).toBeUndefined();
  expect(fold(begun, carried, fenced).carry?.fenced?.by.host).toBe('server');
  expect(fold(begun, carried, { ...begun, remote: 'up' }).carry).toMatchObject({
    remote: 'up',
    oid: carried.oid,
  });
  const again = fold(begun, carried, fenced, taken);
  expect(again.carry).toMatchObject({ oid: taken.oid, takenFrom: ['laptop'] });
  expect(again.carry?.fenced).toBeUndefined();
  const closed = { ...sampleFacts['task-closed'], oid: 'older' };
  expect(fold(begun, closed, carried, taken)).toMatchObject({ lastHead: taken.head });
});

test('what was of the other machine is not looked for: its tree, its lanes, its untracked files, rescues that are not here', () => {
  const worktree = { path: '/there', from: '/home', portOffset: 100 };
  const before: readonly Fact[] = [
    { ...sampleFacts['run-resumed'], worktree },
    sampleFacts['plan-read'],
    { ...sampleFacts['task-started'], task: '2', rescue: 'r-there' },
    { ...sampleFacts['task-started'], task: '1', rescue: 'r-there' },
    setAside('parked', { task: '1', rescue: 'p-there' }),
    sampleFacts['lane-opened'],
    { ...sampleFacts['session-started'], session: 1 },
  ];
  const there = fold(...before);
  expect(there.tasks.get('1')?.work).toEqual({ is: 'saved', rescue: 'p-there' });
  const here = fold(...before, {
    ...taken,
    rescue: 'r-here',
    gone: ['p-there'],
    untracked: ['mine.txt'],
  });
  expect([here.worktree, here.started.worktree]).toEqual([undefined, undefined]);
  expect(there.sessions.get(1)?.started.mark).not.toBe('');
  expect(here.sessions.get(1)?.started.mark).toBe('');
  expect(here.lanes.size).toBe(0);
  expect(here.started.untracked).toEqual(['mine.txt']);
  expect(here.tasks.get('2')?.start?.rescue).toBe('r-here');
  expect(here.tasks.get('1')?.work).toEqual({ is: 'discarded' });
  const kept = fold(...before, { ...taken, gone: [], worktree });
  expect(kept.tasks.get('1')).toMatchObject({ work: { rescue: 'p-there' } });
  expect([kept.worktree, kept.started.worktree]).toEqual([worktree, worktree]);
});

test('a run on another remote than origin is taken from there', () => {
  expect(takeCommand('r', 'origin')).toBe('pawl fleet take r');
  expect(takeCommand('r', 'backup')).toBe('pawl fleet take r --from backup');
});
