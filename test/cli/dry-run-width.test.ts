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

test.each([
  ['wide', wide, { jobs: 8 }, ['At most 3 tasks at once.']],
  ['no width', plan([1], [1]), { jobs: 4 }, [expect.stringMatching(/^One task at a time: no `depends:`/)]],
  [
    'one was asked for',
    wide,
    { jobs: 4, excluded: new Set(['2', '3', '4', '5']) },
    ['One task at a time: no other is open, or asked for.'],
  ],
  ['one job', wide, { jobs: 1 }, []],
])('%s', (_, some, options, told) => {
  expect(formatWidth(some, options)).toEqual(told);
});
