// What is wrong with a draft's checks, by what came of them before any work: one row per result.
import { expect, test } from 'vitest';
import type { FactOf } from '../../src/event.ts';
import { checksToTry, judgeTriedChecks } from '../../src/plan/draft.ts';
import { parsePlan } from '../../src/plan/parse.ts';

type Result = FactOf<'check-ended'>['result'];

const plan = (step: string) =>
  parsePlan(
    `# P\n\n## Checks\n- \`npm test\`\n\n### Task 1: A\n- check: \`prove-it one\`\n- check: \`old\` (known red)\n- [ ] ${step}\n\n### Task 2: B\n- check: \`prove-it two\`\n- [ ] b\n`,
    'p.md',
  );

const judge = (results: Readonly<Record<string, Result>>, step = 'a') =>
  judgeTriedChecks(
    plan(step),
    new Map(Object.entries(results).map(([id, result]) => [id, { result, seconds: 90 }])),
  );

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
  const tried = new Map([['task:1:1', { result: 'could-not-run' as const, seconds: 90 }]]);
  expect(judgeTriedChecks(elsewhere, tried)).toEqual([]);
});
