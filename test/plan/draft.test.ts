// What a draft lacks: one row per rule, each a small change of one that lacks nothing.
import { describe, expect, test } from 'vitest';
import type { FactOf } from '../../src/event.ts';
import { checksToTry, findLacks, judgeTriedChecks, sectionsOutside } from '../../src/plan/draft.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const whole = `# Plan: Cache

## Overview
Why.

## Context
- \`src/a.ts\`

## Validation Commands
- \`npm test\`

### Task 1: One
- check: \`one\`
- criterion: it is fast
- [ ] a

### Task 2: Two
- check: \`two\`
- [ ] b

## Risks and Assumptions
None: nothing else uses it.

## Left for a Person
Nothing.
`;

const lacksOf = (text: string) => findLacks(parsePlan(text, 'p.md'));
const steps = (count: number) => Array.from({ length: count }, (_, at) => `- [ ] step ${at}`).join('\n');
const alone = '# Plan: Fix\n\nA typo.\n\n### Task 1: One\n- check: `one`\n- [ ] a\n';

describe('nothing is lacking', () => {
  test.each([
    ['all there', whole],
    ['seven steps', whole.replace('- [ ] b', steps(7))],
    ['one task with a sentence', alone],
    [
      'other words',
      whole.replace('## Overview', '## Goal').replace('## Left for a Person', '## Manual work'),
    ],
    [
      'criteria in a section',
      `${whole.replace('- criterion: it is fast\n', '')}\n## Acceptance Criteria\n- It is fast.\n`,
    ],
    ['the overview below the title', whole.replace('## Overview\n', '')],
    ['an earlier task is needed', whole.replace('- check: `two`', '- check: `two`\n- depends: 1')],
    ['the same check elsewhere', whole.replace('- check: `two`', '- check: `one`\n- cwd: sub')],
    ['a manual step beside others', whole.replace('- [ ] b', '- [ ] b\n- [ ] c (manual)')],
    ['other line ends', whole.replaceAll('\n', '\r\n')],
  ])('%s', (_, text) => {
    expect(lacksOf(text)).toEqual([]);
  });

  test('where there is no task, since lint says so', () => {
    expect(lacksOf('# Plan: P\n')).toEqual([]);
  });
});

describe('lacking', () => {
  const twoOfOwn = 'task 2 has no check of its own';
  test.each([
    ['no overview', '## Overview\nWhy.\n', '', '`## Overview` is missing'],
    ['an empty overview', 'Why.', '', '`## Overview` is empty'],
    ['an overview that is a comment', 'Why.', '<!-- later -->', '`## Overview` is empty'],
    ['no context', '## Context', '## Notes', '`## Context` is missing'],
    ['no criteria', '- criterion: it is fast\n', '', '`## Acceptance Criteria` is missing'],
    ['no risks', '## Risks and Assumptions', '## More', '`## Risks and Assumptions` is missing'],
    [
      'its heading in a fence',
      '## Risks',
      '```\n## Risks',
      '`## Risks and Assumptions` is missing',
      '`## Left for a Person` is missing',
    ],
    ['nobody named', '## Left for a Person', '## Rest', '`## Left for a Person` is missing'],
    ['eight steps', '- [ ] b', steps(8), 'task 2 has 8 steps'],
    [
      'a task without boxes',
      '- [ ] b',
      'b',
      'task 2 has no boxes: write each of its steps as a line `- [ ] text`',
    ],
    ['a ticked step', '- [ ] b', '- [x] b', 'task 2 ticks what nobody did'],
    ['only manual steps', '- [ ] b', '- [ ] b (manual)', 'task 2 has no step for an agent'],
    ['no check of its own', '- check: `two`\n', '', twoOfOwn],
    ['an excused one', '`two`', '`two` (known red)', twoOfOwn],
    ['one at the end', '`two`', '`two` (at end)', twoOfOwn],
    ['the plan’s check', '`two`', '`npm test`', 'the check `npm test` of task 2 is one of the plan'],
    ['the same check', '`two`', '`one`', 'tasks 1 and 2 have the same check `one`'],
    ['a later task', '- [ ] a', '- depends: 2\n- [ ] a', 'task 1 needs task 2, which comes later'],
  ])('%s', (_, from, to, ...lacks) => {
    expect(lacksOf(whole.replace(from ?? '', to ?? ''))).toEqual(
      lacks.map((lack) => expect.stringContaining(lack)),
    );
  });

  test('where a task stands alone, a word and a check', () => {
    expect(lacksOf(alone.replace('A typo.\n', ''))).toEqual([
      expect.stringContaining('`## Overview` is missing'),
    ]);
    const unchecked = lacksOf(alone.replace('- check: `one`\n', ''));
    expect(unchecked).toEqual([expect.stringContaining('task 1 has no check of its own')]);
  });
});

test('sections are those outside tasks, without front matter, title and what only looks like a heading', () => {
  const text = `---\nmodel: opus\n---\n# Plan: P\nlead\n\n## A\na\n\n~~~sh\n# no heading\n\`\`\`\n~~~\n<!--\n## none\n-->\n\n### Task 1: One\n#### Inner\n- [ ] a\n\n## B ##\n`;
  expect(sectionsOutside(parsePlan(text, 'p.md'))).toEqual([
    { heading: undefined, text: 'lead' },
    { heading: 'A', text: 'a\n\n~~~sh\n# no heading\n```\n~~~' },
    { heading: 'B', text: '' },
  ]);
});

// What is wrong with a draft's checks, by what came of them before any work: one row per result.
type Result = FactOf<'check-ended'>['result'];

const plan = (step: string) =>
  parsePlan(
    `# P\n\n## Checks\n- \`npm test\`\n\n### Task 1: A\n- check: \`prove-it one\`\n- check: \`old\` (known red)\n- [ ] ${step}\n\n### Task 2: B\n- check: \`prove-it two\`\n- [ ] b\n`,
    'p.md',
  );

const judge = (results: Readonly<Record<string, Result>>, step = 'a') =>
  judgeTriedChecks(plan(step), new Map(Object.entries(results)), 90);

test('those of tasks that are not excused are tried', () => {
  expect(checksToTry(plan('a')).map(({ id }) => id)).toEqual(['task:1:1', 'task:2:1']);
});

const missing = 'the check `prove-it two` of task 2 cannot start: there is no prove-it, and no task up to it';

test.each<[string, Readonly<Record<string, Result>>, string, readonly string[]]>([
  ['red, as it should be', { 'task:1:1': 'red', 'task:2:1': 'red' }, 'a', []],
  [
    'green',
    { 'task:1:1': 'red', 'task:2:1': 'green' },
    'a',
    ['the check `prove-it two` of task 2 passes before any work'],
  ],
  ['a plan’s check that is green', { 'plan:1': 'green' }, 'a', []],
  ['without end', { 'task:1:1': 'timed-out' }, 'a', ['`prove-it one` of task 1 did not end within 90 s']],
  ['no program', { 'task:2:1': 'could-not-run' }, 'a', [missing]],
  ['a program that an earlier task brings', { 'task:2:1': 'could-not-run' }, 'Install prove-it', []],
  ['not let', { 'task:1:1': 'interrupted' }, 'a', []],
  ['not tried', {}, 'a', []],
])('%s', (_, results, step, problems) => {
  expect(judge(results, step)).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});

test('what cannot run for another reason is not held against a check: a task may make its folder', () => {
  const elsewhere = parsePlan('# P\n\n### Task 1: A\n- cwd: web\n- check: `./run.sh`\n- [ ] a\n', 'p.md');
  const tried = new Map([['task:1:1', 'could-not-run' as const]]);
  expect(judgeTriedChecks(elsewhere, tried, 90)).toEqual([]);
});
