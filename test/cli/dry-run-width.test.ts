import { expect, test } from 'vitest';
import { formatWidth } from '../../src/cli/dry-run.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const plan = (...tasks: readonly (readonly [steps: number, depends?: string])[]) =>
  parsePlan(
    tasks
      .map(([steps, depends], at) =>
        [
          `### Task ${at + 1}: t`,
          ...(depends ? [`- depends: ${depends}`] : []),
          ...Array.from({ length: steps }, () => '- [ ] s'),
          '',
        ].join('\n'),
      )
      .join('\n'),
    'x.md',
  );

const wide = plan([2], [3, '1'], [4, '1'], [1, '1'], [1, '2, 3, 4']);

test('the width over time, the speed-up and what bounds it', () => {
  expect(formatWidth(wide, { jobs: 2, took: [] }).join('\n')).toMatchInlineSnapshot(`
    "Side by side with 2 jobs, if all steps take equally long:
      steps 1–2  one at a time: task 1
      steps 3–6  2 at once: tasks 3, 2, 4
      step 7     one at a time: task 5
    That is 11 steps in the time of 7: at most 1.6 times as fast as one at a time.
    The longest chain: tasks 1, 3 and 5, one after the other (7 steps)."
  `);
});

test('by earlier runs, in time', () => {
  const took = [1, 2, 3].map((minutes) => ({ run: 'a', ms: minutes * 10 * 60_000 }));
  expect(formatWidth(wide, { jobs: 8, took }).slice(-3).join('\n')).toMatchInlineSnapshot(`
    "That is 11 steps in the time of 7: at most 1.6 times as fast as one at a time; about 1 h 5 min instead of 1 h 40 min, going by 3 tasks of 1 run here.
    The longest chain: tasks 1, 3 and 5, one after the other (7 steps).
    More than 3 jobs do not help."
  `);
});

test('a plan without width says why', () => {
  expect(formatWidth(plan([1], [1]), { jobs: 4, took: [] }).join('\n')).toMatchInlineSnapshot(
    `"One task at a time: no \`depends:\` says what a task needs, so each waits for the one before it. Write in each task \`- depends: 1, 2\` with what it needs, or \`- depends: none\`, and \`- files:\` with what it changes."`,
  );
});

test('who asked for one task is told so', () => {
  const excluded = new Set(['2', '3', '4', '5']);
  expect(formatWidth(wide, { jobs: 4, took: [], excluded })).toEqual([
    'One task at a time: no other is open, or asked for.',
  ]);
});

test.each([
  [[2, 4, 4], ['The longest: tasks 2 and 3 (4 steps each).']],
  [[2, 4], ['The longest: task 2 (4 steps).']],
  [[2, 2], []],
] as const)('of %j steps beside each other, longest is %j', (steps, says) => {
  const lines = formatWidth(plan(...steps.map((count) => [count, 'none'] as const)), { jobs: 3, took: [] });
  expect(lines.filter((line) => line.startsWith('The longest'))).toEqual(says);
});

test('nothing for one job', () => {
  expect(formatWidth(wide, { jobs: 1, took: [] })).toEqual([]);
});
