import { expect, test } from 'vitest';
import { formatMerged } from '../../../src/phase/lanes/catch-up.ts';
import { whyGivenBack } from '../../../src/phase/lanes/place-lane.ts';

const red = { isMerged: true, unmerged: [], othersRed: true };
const table: readonly (readonly [string, Parameters<typeof whyGivenBack>[0], unknown])[] = [
  ['closed', { ...red, verdict: 'close' }, undefined],
  ['red, nothing merged', { ...red, isMerged: false, verdict: 'correct' }, undefined],
  ['red, merged', { ...red, verdict: 'correct' }, 'red'],
  ['a fresh attempt', { ...red, verdict: 'again' }, 'red'],
  ['failed', { ...red, verdict: 'fail' }, 'red'],
  ['in conflict', { ...red, unmerged: ['a'], verdict: 'correct' }, 'conflict'],
  ['marks left from before', { ...red, isMerged: false, unmerged: ['a'], verdict: 'correct' }, 'conflict'],
  ['its own check alone is red', { ...red, othersRed: false, verdict: 'correct' }, undefined],
  ['stopped', { ...red, verdict: 'stop' }, undefined],
  ['asked a person', { ...red, verdict: 'park' }, undefined],
];
test.each(table)('work that does not land: %s', (_, found, why) => {
  expect(whyGivenBack(found)).toBe(why);
});

test.each([
  [[], [], 'others committed to the branch', 'without a conflict'],
  [['1'], [], 'task 1 landed', 'without a conflict'],
  [['1', '3'], ['a.ts'], 'tasks 1, 3 landed', 'with conflicts'],
])('a session is told of %j with conflicts in %j', (landed, conflicts, who, how) => {
  const text = formatMerged({ landed, conflicts });
  expect(text).toContain(who);
  expect(text).toContain(how);
});
