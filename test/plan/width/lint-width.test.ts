import { expect, test } from 'vitest';
import type { LintOptions } from '../../../src/plan/lint/rule.ts';
import { lintPlan } from '../../../src/plan/lint.ts';
import { parsePlan } from '../../../src/plan/parse.ts';

/** Tasks 1, 2, … with these lines, below a check; task N begins on line 3N + 1 where each has one line. */
const plan = (...tasks: readonly (readonly string[])[]) =>
  `## Checks\n- \`npm test\`\n\n${tasks
    .map((lines, at) => [`### Task ${at + 1}: t`, ...lines.map((line) => `- ${line}`), '- [ ] s'].join('\n'))
    .join('\n')}`;

const lint = (text: string, options: LintOptions) =>
  lintPlan(parsePlan(text, 'x.md'), options).map(
    ({ severity, rule, place, message }) => `${severity} ${rule} ${place.line} ${message}`,
  );

const free = (files: string) => ['depends: none', `files: ${files}`];

test.each<[string, string, LintOptions['width'], readonly RegExp[]]>([
  ['a chain, one job', plan(['x'], ['y']), { jobs: 1 }, []],
  ['nothing is said where nothing was asked', plan(free('a/a'), free('a/a')), undefined, []],
  [
    'a chain',
    plan(['x'], ['y']),
    { jobs: 4 },
    [/^warning no-parallel 4 no two tasks can be worked on at once: no `depends:`/],
  ],
  ['one task', plan(['x']), { jobs: 4 }, []],
  ['free tasks', plan(free('a/a'), free('b/b')), { jobs: 2 }, []],
  [
    'no width because of files is said once',
    plan(free('a/a'), free('a/a')),
    { jobs: 2 },
    [/^warning no-parallel 4 .*tasks 1 and 2 both change `a\/a`: let each/],
  ],
  [
    'two that overlap',
    plan(free('a/a'), free('b/b'), free('a/a')),
    { jobs: 2 },
    [
      /^warning files-overlap 12 tasks 1 and 3 both change `a\/a`, so they are never worked on at once: split the files, or use `depends:` to say which comes first$/,
    ],
  ],
  [
    'one in the way of many is one note',
    plan(free('a/**'), free('a/b'), free('a/c'), free('a/d')),
    { jobs: 2 },
    [/^warning files-overlap 4 tasks 1 and 2 change .* the same holds for task 1 and tasks 3, 4: split/],
  ],
  [
    'exclusive is meant',
    plan(['depends: none', 'exclusive: true'], free('a/a'), free('b/b')),
    { jobs: 2 },
    [],
  ],
  [
    'what checks are made of',
    plan(free('package.json'), free('a/a'), free('b/b')),
    { jobs: 2, aloneFor: ({ files }) => files.find((file) => file === 'package.json') },
    [/^warning files-overlap 4 task 1 may change `package.json`, on which the checks depend/],
  ],
  [
    'a slow check',
    plan(free('a/a'), free('b/b')),
    { jobs: 2, took: new Map([['npm test', 61_000]]) },
    [/^warning slow-gate 2 `npm test` took 61 s in the last run/],
  ],
  [
    'a slow check at the end keeps nobody waiting',
    plan(free('a/a'), free('b/b')).replace('`npm test`', '`npm test` (at end)'),
    { jobs: 2, took: new Map([['npm test', 61_000]]) },
    [/^warning task-without-check .* any of the 2 open tasks/],
  ],
  ['a quick check', plan(free('a/a'), free('b/b')), { jobs: 2, took: new Map([['npm test', 60_000]]) }, []],
])('%s', (_, text, width, expected) => {
  const notes = lint(text, width ? { width } : {});
  expect(notes).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('they are no mistakes: strict makes no errors of them', () => {
  expect(lint(plan(['x'], ['y']), { strict: true, width: { jobs: 2 } })).toEqual([
    expect.stringMatching(/^warning no-parallel/),
  ]);
});
