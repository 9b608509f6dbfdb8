import { describe, expect, test } from 'vitest';
import type { CheckRun } from '../../../src/check/check-run.ts';
import type { FactOf } from '../../../src/event.ts';
import { formatMerged, judgeGivenBack, listDoubtful } from '../../../src/phase/lanes/judge-landing.ts';
import { fact } from '../../helpers/facts.ts';

function run(id: string, result: CheckRun['result'], knownRed = false): CheckRun {
  return { result, check: { id, knownRed } } as CheckRun;
}

const past = (check: string, result: FactOf<'check-ended'>['result'], when: 'before' | 'after' = 'after') =>
  fact('check-ended', { check, result, when });

describe('which reds of merged work are asked once more', () => {
  const own = new Set(['task:2:1']);
  const table: readonly (readonly [string, CheckRun, boolean, readonly FactOf<'check-ended'>[], boolean])[] =
    [
      ['one that was green on the work alone', run('plan:1', 'red'), true, [past('plan:1', 'green')], true],
      ['one that ran into its clock', run('plan:1', 'timed-out'), true, [past('plan:1', 'green')], true],
      ['not one that was never asked before', run('plan:1', 'red'), true, [], false],
      ['not where nothing was merged', run('plan:1', 'red'), false, [past('plan:1', 'green')], false],
      ['not the task’s own', run('task:2:1', 'red'), true, [past('task:2:1', 'green')], false],
      ['not one that was red before the merge', run('plan:1', 'red'), true, [past('plan:1', 'red')], false],
      [
        'not one that was green only before the work',
        run('plan:1', 'red'),
        true,
        [past('plan:1', 'green', 'before')],
        false,
      ],
      ['not a green one', run('plan:1', 'green'), true, [past('plan:1', 'green')], false],
      ['not an excused one', run('plan:1', 'red', true), true, [past('plan:1', 'green')], false],
      ['not one that cannot run', run('plan:1', 'could-not-run'), true, [past('plan:1', 'green')], false],
    ];
  test.each(table)('%s', (_, found, isMerged, before, isAsked) => {
    expect(listDoubtful([found], { isMerged, own, past: before })).toEqual(isAsked ? [found] : []);
  });
});

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
