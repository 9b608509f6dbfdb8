// Whose run it is that this repository has a journal of, row by row.
import { expect, test } from 'vitest';
import { isOurs } from '../../../src/phase/carry/owner.ts';

const carry = { remote: 'origin', ref: 'refs/pawl/r/carried', owner: 'mine', oid: 'c1', takenFrom: [] };
const fenced = { type: 'carry', state: 'fenced', by: { host: 'server', at: '' } } as const;
const ours = { live: false, carry, isOwn: true };

test.each([
  ['carried last from here', ours, true],
  ['at work here', { ...ours, isOwn: false, live: true }, true],
  ['taken from here, or carried by a copy of this clone', { ...ours, isOwn: false }, false],
  ['fenced here', { ...ours, carry: { ...carry, fenced } }, false],
  ['never carried from here', { ...ours, carry: undefined }, false],
])('a run %s', (_, local, is) => {
  expect(isOurs(local)).toBe(is);
});
