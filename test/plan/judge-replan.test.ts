// What a re-plan may do to a plan and what it may not: by table, one row per rule; and by property, that whatever an answer
// says, only the open tasks' sections change and nothing that proves anything gets less.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeReplan, type ReplanRules } from '../../src/plan/judge-replan.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { isClosed, type Plan } from '../../src/plan/plan.ts';
import { isSoak } from '../helpers/share.ts';
import { soup } from './soup.ts';

const rules: ReplanRules = {
  strict: false,
  checks: [],
};

const closed = '### Task 1: One\n- check: `a`\n- [x] one\n';
const two = '### Task 2: Two\n- check: `b`\n- criterion: it is fast\n- model: sonnet\n- [ ] two\n- [ ] too\n';
const three = '### Task 3: Three\n- files: src/a.ts\n- [ ] three\n';
const text = `---\nmodel: opus\n---\n# Plan: P\n\n## Overview\nWhy.   \n\n## Checks\n- \`all\`\n\n${closed}\nPROSE\n\n${two}\n${three}\n## Notes\n\tas they *are*\n`;
const plan = parsePlan(text, 'p.md');

const judge = (answer: string, more: Partial<ReplanRules> = {}) =>
  judgeReplan(plan, answer, { ...rules, ...more });
const newTask = '### Task 2a: Between\n- check: `c`\n- [ ] x\n';

/** All open tasks as they are, but for one place. */
const edit = (from: string, to: string) => `${two}\n${three}`.replace(from, to);
const addToTwo = (lines: string) => edit('- [ ] too\n', `- [ ] too\n${lines}\n`);
const checkB = '- check: `b`\n';

describe('taken', () => {
  const more = '- [ ] too\n- [ ] more\n';
  const same = `${two}\n${three}`;
  test.each<[string, string, object, whole?: string]>([
    ['a step is added', edit('- [ ] too\n', more), { changed: ['2'] }, text.replace('- [ ] too\n', more)],
    ...[
      ['a new task between', `${two}\n${newTask}\n${three}`],
      ['a new task first', `${newTask}\n${two}\n${three}`],
      ['a new task last', `${two}\n${three}\n${newTask}`],
    ].map(([name = '', answer = '']): [string, string, object, string] => [
      name,
      answer,
      { added: ['2a'] },
      text.replace(same, answer),
    ]),
    ['another order', `${three}\n${two}`, { changed: ['3', '2'] }, text.replace(same, `${three}\n${two}`)],
    ['a check is added', edit('`b`', '`b`\n- check: `b2`'), { changed: ['2'] }],
    ['another title', edit('Two', 'Zwei'), { changed: ['2'] }],
    ['steps go', edit('- [ ] too\n', ''), { changed: ['2'] }],
    ['files of no check', edit('src/a.ts', 'src/a.ts, src/b.ts'), { changed: ['3'] }],
    ['a closed task as it is', `${closed}\nPROSE\n\n${edit('- [ ] too\n', more)}`, { changed: ['2'] }],
  ])('%s', (_, answer, told, whole) => {
    const judged = judge(answer);
    expect(judged).toMatchObject({ kind: 'taken', added: [], changed: [], ...told });
    if (whole !== undefined) expect(judged).toMatchObject({ text: whole });
  });
});

describe('refused', () => {
  const excused = 'task 2 excuses or puts off its check `b`';
  const isClosedTask = 'task 1 is closed, and closed tasks must stay as they are';
  test.each([
    ['a task is dropped', two, 'task 3 (Three) is dropped'],
    ['a check is dropped', edit(checkB, ''), 'task 2 loses its check `b`'],
    ['a check is changed', edit('`b`', '`b || true`'), 'task 2 loses its check `b`'],
    ['a check moves to another task', `${edit(checkB, '')}${checkB}`, 'task 2 loses its check `b`'],
    ['a check is excused', edit('`b`', '`b` (known red)'), excused],
    ['a check is put off', edit('`b`', '`b` (at end)'), excused],
    ['a criterion goes', edit('- criterion: it is fast\n', ''), 'task 2 loses its criterion: it is fast'],
    ['another model', edit('sonnet', 'opus'), 'task 2 has another `model`'],
    ['a budget', addToTwo('- budget: 9'), 'task 2 has another `budget`'],
    ['another folder', addToTwo('- cwd: x'), 'task 2 has another `cwd`'],
    ['tools', addToTwo('- tools: Bash'), 'task 2 has another `tools`'],
    ['a step is left to a person', edit('too', 'too (manual)'), 'task 2 leaves more steps to a person'],
    [
      'a new task without work',
      addToTwo('\n### Task 4: x\n- [ ] y (manual)'),
      'task 4 has no open step for an agent, so it would close by itself',
    ],
    ['a new task sets a model', addToTwo(`\n${newTask}- model: x`), 'the new task 2a sets `model`'],
    ['a closed task is changed', `${closed.replace('one', 'eins')}\n${two}\n${three}`, isClosedTask],
    ['a closed task is opened', `${closed.replace('[x]', '[ ]')}\n${two}\n${three}`, isClosedTask],
    ['a step is ticked', edit('[ ] too', '[x] too'), 'task 2 ticks a step that nobody did: too'],
  ])('%s', (_, answer, reason) => {
    expect(judge(answer)).toEqual({ kind: 'refused', reasons: [reason] });
  });
});

describe('wrong', () => {
  test.each([
    ['nothing', '', /no task in it/],
    ['a flat list', '- [ ] two\n- [ ] three', /no task in it/],
    ['words before the tasks', `Here it is:\n\n${two}\n${three}`, /is outside them: Here it is:/],
    ['checks of the plan', `${two}\n${three}\n## Checks\n- \`true\`\n`, /is outside them: ## Checks/],
    ['a setting', `---\nmodel: x\n---\n${two}\n${three}`, /is outside them: ---/],
    ['an unknown dependency', `${two}- depends: 9\n\n${three}`, /unknown-depends: .*\(line: - depends: 9\)/],
    ['a heading that misses the form', `${two}\n${three}\n#### Task 4 x\n- [ ] y\n`, /near-miss-heading/],
    ['the same task twice', `${two}\n${three}\n${three}`, /task 3 stands on line 8 too/],
    ['a fence that does not end', `${two}\n${three}\`\`\`\n`, /reaches beyond it/],
    ['a comment that does not end', `${two}\n${three}\n<!-- \n`, /reaches beyond it/],
    ['a heading of another depth', `${two}\n${three.replace('###', '##')}`, undefined],
  ])('%s', (_, answer, says) => {
    if (says === undefined) expect(judge(answer).kind).toBe('taken');
    else expect(judge(answer)).toMatchObject({ kind: 'wrong', reasons: [expect.stringMatching(says)] });
  });
});

test('the same again changes nothing', () => {
  expect(judge(`${two}\n${three}`)).toEqual({ kind: 'unchanged' });
  expect(judge(`${closed}\nPROSE\n\n${two}\n${three}`)).toEqual({ kind: 'unchanged' });
});

test('line ends of the file stay its own', () => {
  const windows = parsePlan(text.replaceAll('\n', '\r\n'), 'p.md');
  const judged = judgeReplan(windows, `${newTask}\n${two}\n${three}`, rules);
  expect(judged).toMatchObject({
    kind: 'taken',
    text: text.replace(two, `${newTask}\n${two}`).replaceAll('\n', '\r\n'),
  });
});

/** What proves the plan, closed tasks whole, and all text outside the open tasks, blank lines apart. */
function kept(one: Plan) {
  const isOpen = (id: string) => !one.tasks.some((task) => task.id === id && isClosed(task));
  let rest = one.text;
  for (const task of one.tasks.toReversed())
    if (isOpen(task.id))
      rest = rest.slice(0, task.place.offset) + rest.slice(task.place.offset + task.source.length);
  return { rest: rest.replace(/\s+/g, ' '), checks: one.checks.map(({ command }) => command) };
}

test('whatever an answer says, the rest of the file and every check stay', { timeout: 180_000 }, () => {
  const pieces = [
    two,
    three,
    newTask,
    closed,
    `${two}- [ ] more\n`,
    three.replace('three', 'drei'),
    '### Task 9: N\n- [ ] n\n',
  ];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...pieces), soup);
  const numRuns = isSoak ? 3_000 : 400;
  let taken = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 5 }), (parts) => {
      const judged = judge(parts.join('\n'));
      if (judged.kind !== 'taken') return;
      taken += 1;
      const after = parsePlan(judged.text, 'p.md');
      expect(kept(after)).toEqual(kept(plan));
      for (const task of plan.tasks) {
        const now = after.tasks.find(({ id }) => id === task.id);
        const commands = now?.checks
          .filter((check) => !check.knownRed && !check.atEnd)
          .map(({ command }) => command);
        expect(commands).toEqual(expect.arrayContaining(task.checks.map(({ command }) => command)));
        if (isClosed(task)) expect(now?.source).toBe(task.source);
      }
      expect(after.tasks.filter(isClosed).map(({ id }) => id)).toEqual(['1']);
    }),
    { numRuns },
  );
  expect(taken).toBeGreaterThan(numRuns / 150);
});
