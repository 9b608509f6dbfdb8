import { describe, expect, test } from 'vitest';
import { formatMerged, judgeGivenBack } from '../../../src/phase/lanes/judge-landing.ts';

describe('work that does not land', () => {
  const quiet = { isMerged: true, unmerged: [], reds: ['plan:1'], own: new Set(['task:2:1']), before: 0 };
  const table: readonly (readonly [string, Parameters<typeof judgeGivenBack>[0], unknown])[] = [
    ['closed', { ...quiet, verdict: 'close' }, undefined],
    ['red, nothing merged', { ...quiet, isMerged: false, verdict: 'correct' }, undefined],
    ['red, merged', { ...quiet, verdict: 'correct' }, { why: 'red', held: false }],
    [
      'red, merged, for the second time',
      { ...quiet, before: 1, verdict: 'correct' },
      { why: 'red', held: true },
    ],
    [
      'a fresh attempt does not keep the gate',
      { ...quiet, before: 1, verdict: 'again' },
      { why: 'red', held: false },
    ],
    ['failed', { ...quiet, verdict: 'fail' }, { why: 'red', held: false }],
    ['in conflict', { ...quiet, unmerged: ['a'], verdict: 'correct' }, { why: 'conflict', held: false }],
    [
      'marks left from before',
      { ...quiet, isMerged: false, unmerged: ['a'], verdict: 'correct' },
      { why: 'conflict', held: false },
    ],
    [
      'its own check alone is red',
      { ...quiet, reds: ['task:2:1'], before: 1, verdict: 'correct' },
      undefined,
    ],
    ['no check is red', { ...quiet, reds: [], before: 1, verdict: 'correct' }, undefined],
    ['stopped', { ...quiet, verdict: 'stop' }, undefined],
    ['asked a person', { ...quiet, verdict: 'park' }, undefined],
  ];
  test.each(table)('%s', (_, found, back) => {
    expect(judgeGivenBack(found)).toEqual(back);
  });
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
