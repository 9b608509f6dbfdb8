// What the carried ref means for whoever has the run's journal, row by row.
import { describe, expect, test } from 'vitest';
import type { Carry } from '../../../src/journal/state-parts.ts';
import { type CarriedTip, findTaker, judgeTake } from '../../../src/phase/carry/owner.ts';

const there = (over: Partial<CarriedTip> = {}): CarriedTip => ({
  ...{ oid: 'c2', host: 'server', at: '2026-01-01T00:00:00Z', ended: false },
  ...over,
});
const carry = (over: Partial<Carry> = {}): Carry => ({
  ...{ remote: 'origin', ref: 'refs/pawl/r/carried', owner: 'mine', oid: 'c2', takenFrom: [] },
  ...over,
});

test.each([
  ['never carried, nothing there', {}, undefined, false, undefined],
  ['as it was left', carry(), there(), false, undefined],
  ['pushed, and killed before it knew', carry({ oid: 'c1' }), there(), true, undefined],
  ['removed by somebody', carry(), undefined, false, undefined],
  ['taken up, or carried by a copy of the clone', carry({ oid: 'c1' }), there(), false, 'server'],
  ['taken up before its first carry was known', {}, there(), false, 'server'],
] as const)('a run that is carried from here, %s', (_, own, standing, isOwn, host) => {
  expect(findTaker(own, standing, isOwn)?.host).toBe(host);
});

describe('a run that is to be taken up', () => {
  const local = { live: false, finished: false, carry: carry({ oid: 'c1' }), isOwn: true };
  const others = { ...local, isOwn: false };
  const fenced = carry({ fenced: { type: 'carry', state: 'fenced', by: { host: 'server', at: '' } } });
  test.each([
    ['not known here', there(), undefined, 'take'],
    ['finished there', there({ ended: true }), undefined, 'ended'],
    ['finished here', there(), { ...local, finished: true }, 'untold'],
    ['finished here, and taken from here', there(), { ...others, finished: true }, 'take'],
    ['at work here', there(), { ...local, live: true }, 'live'],
    ['still ours', there(), local, 'here'],
    ['taken from here, or carried by a copy of this clone', there(), others, 'take'],
    ['fenced here', there(), { ...local, carry: fenced }, 'take'],
    ['here, and never carried from here', there(), { ...local, carry: undefined }, 'take'],
  ] as const)('%s', (_, standing, known, kind) => {
    expect(judgeTake(standing, known)).toBe(kind);
  });
});
