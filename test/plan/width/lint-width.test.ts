import { describe, expect, test } from 'vitest';
import type { LintOptions } from '../../../src/plan/lint/rule.ts';
import { lintPlan } from '../../../src/plan/lint.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { explainNoWidth } from '../../../src/plan/width/lint-width.ts';

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
      /^warning files-overlap 4 tasks 1 and 3 both change `a\/a`: let each change its own files, or say by `depends:` which comes first$/,
    ],
  ],
  [
    'not those that wait for each other, be it by way of a third; a glob can mean a name',
    plan(free('a/a'), ['depends: 1'], ['depends: 2', 'files: a/a'], free('b/a'), free('b/*')),
    { jobs: 2 },
    [/^warning files-overlap \d+ tasks 4 and 5 change `b\/a` and `b\/\*`, which can mean one file/],
  ],
  [
    'one in the way of many is one note',
    plan(free('a/**'), free('a/b'), free('a/c'), free('a/d')),
    { jobs: 2 },
    [/^warning files-overlap 4 tasks 1 and 2 change/],
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
])('%s', (_, text, width, expected) => {
  const notes = lint(text, width ? { width } : {});
  expect(notes).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('they are no mistakes: strict makes no errors of them', () => {
  expect(lint(plan(['x'], ['y']), { strict: true, width: { jobs: 2 } })).toEqual([
    expect.stringMatching(/^warning no-parallel/),
  ]);
});

const none = 'depends: none';

describe('explainNoWidth', () => {
  test.each<[string, string, string | undefined]>([
    ['a diamond', plan([none], ['depends: 1'], ['depends: 1'], ['depends: 2, 3']), undefined],
    ['one open task needs no remark', plan([]), undefined],
    [
      'a chain by its order',
      plan(['files: a/a'], ['files: b/b']),
      'no `depends:` says what a task needs, so each waits for the one before it. Write in each task `- depends: 1, 2` with what it needs, or `- depends: none`, and `- files:` with what it changes',
    ],
    [
      'phases in a row',
      '## 1. a\n- [ ] s\n## 2. b\n- [ ] s\n',
      'no `depends:` says what a task needs, so each waits for the one before it. Write below each heading `- depends: 1, 2` with what it needs, or `- depends: none`, and `- files:` with what it changes',
    ],
    [
      'a chain by depends',
      plan([], ['depends: 1'], ['depends: 2']),
      'by its `depends:` each task waits for the one before it: name only what it needs',
    ],
    [
      'all that must be alone',
      plan([none, 'exclusive: true'], [none]),
      'task 1 says `exclusive: true`: remove that if it is not needed',
    ],
  ])('%s', (_, some, why) => {
    expect(explainNoWidth(parsePlan(some, 'x.md'))).toBe(why);
  });
});
