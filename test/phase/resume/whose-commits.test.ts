// Whose commits stand on the run's branch after a kill, row by row.
import { expect, test } from 'vitest';
import { judgeWhose, type MovedHead, type Whose } from '../../../src/phase/resume/whose-commits.ts';

const minute = 60_000;
const moved: MovedHead = {
  ...{ start: 's', head: 'h', onStart: true, onSwept: true, takes: false },
  ...{ times: [100 * minute], aliveMs: 100 * minute, bootMs: 0 },
};

test.each<[string, Partial<MovedHead>, Whose]>([
  ['all was there when the session was ended', { swept: 'h' }, 'session'],
  ['nothing was there then', { swept: 's' }, 'person'],
  ['the session’s were there, and others stand on them', { swept: 'x' }, 'mixed'],
  ['the session’s were there, and others are in their place', { swept: 'x', onSwept: false }, 'person'],
  ['even the start is gone since', { swept: 's', onStart: false, times: [] }, 'below'],
  ['mixed, and a person says so', { swept: 'x', takes: true }, 'person'],
  ['unseen, made while it lived', {}, 'session'],
  ['unseen, made while it may still have ended', { times: [100 * minute, 100.9 * minute] }, 'session'],
  ['unseen, made later', { times: [100 * minute, 102 * minute] }, 'unsure'],
  ['unseen, made later, and a person says so', { times: [102 * minute], takes: true }, 'person'],
  [
    'unseen, made after the machine was started again',
    { bootMs: 101 * minute, times: [102 * minute] },
    'person',
  ],
  [
    'unseen, some made before the machine was started again',
    { bootMs: 101 * minute, times: [100 * minute, 110 * minute] },
    'unsure',
  ],
  ['unseen, and the start is gone', { onStart: false, times: [] }, 'session'],
])('%s', (_, change, whose) => {
  expect(judgeWhose({ ...moved, ...change })).toBe(whose);
});
