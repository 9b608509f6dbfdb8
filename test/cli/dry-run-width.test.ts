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
  expect(formatWidth(wide, { jobs: 2 }).join('\n')).toMatchInlineSnapshot(`
    "Side by side with 2 jobs, if all steps take equally long:
      steps 1–2  one at a time: task 1
      steps 3–6  2 at once: tasks 3, 2, 4
      step 7     one at a time: task 5
    That is 11 steps in the time of 7: at most 1.6 times as fast as one at a time."
  `);
});

test('a plan without width says why', () => {
  expect(formatWidth(plan([1], [1]), { jobs: 4 }).join('\n')).toMatchInlineSnapshot(
    `"One task at a time: no \`depends:\` says what a task needs, so each waits for the one before it. Write in each task \`- depends: 1, 2\` with what it needs, or \`- depends: none\`, and \`- files:\` with what it changes."`,
  );
});

test('who asked for one task is told so', () => {
  const excluded = new Set(['2', '3', '4', '5']);
  expect(formatWidth(wide, { jobs: 4, excluded })).toEqual([
    'One task at a time: no other is open, or asked for.',
  ]);
});
