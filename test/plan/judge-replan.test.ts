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
  hasConfigChecks: false,
};

const closed = '### Task 1: One\n- check: `a`\n- [x] one\n';
const two = '### Task 2: Two\n- check: `b`\n- criterion: it is fast\n- model: sonnet\n- [ ] two\n- [ ] too\n';
const three = '### Task 3: Three\n- files: src/a.ts\n- [ ] three\n';
const text = `---\nmodel: opus\n---\n# Plan: P\n\n## Overview\nWhy.   \n\n## Checks\n- \`all\`\n\n${closed}\nPROSE\n\n${two}\n${three}\n## Notes\n\tas they *are*\n`;
const plan = parsePlan(text, 'p.md');

const judge = (answer: string, more: Partial<ReplanRules> = {}) =>
  judgeReplan(plan, answer, { ...rules, ...more });
const newTask = '### Task 2a: Between\n- check: `c`\n- [ ] x\n';

describe('taken', () => {
  test.each([
    [
      'a step is added',
      `${two}- [ ] more\n\n${three}`,
      { changed: ['2'] },
      text.replace('- [ ] too', '- [ ] too\n- [ ] more'),
    ],
    [
      'a new task between',
      `${two}\n${newTask}\n${three}`,
      { added: ['2a'] },
      text.replace(three, `${newTask}\n${three}`),
    ],
    [
      'a new task first',
      `${newTask}\n${two}\n${three}`,
      { added: ['2a'] },
      text.replace(two, `${newTask}\n${two}`),
    ],
    [
      'a new task last',
      `${two}\n${three}\n${newTask}`,
      { added: ['2a'] },
      text.replace(three, `${three}\n${newTask}`),
    ],
    [
      'another order',
      `${three}\n${two}`,
      { changed: ['3', '2'] },
      text.replace(`${two}\n${three}`, `${three}\n${two}`),
    ],
    [
      'a check is added',
      `${two.replace('`b`', '`b`\n- check: `b2`')}\n${three}`,
      { changed: ['2'] },
      undefined,
    ],
    ['another title', `${two.replace('Two', 'Zwei')}\n${three}`, { changed: ['2'] }, undefined],
    ['steps go', `${two.replace('- [ ] too\n', '')}\n${three}`, { changed: ['2'] }, undefined],
    [
      'files of no check',
      `${two}\n${three.replace('src/a.ts', 'src/a.ts, src/b.ts')}`,
      { changed: ['3'] },
      undefined,
    ],
    [
      'a closed task is repeated as it is',
      `${closed}\nPROSE\n\n${two}- [ ] more\n\n${three}`,
      { changed: ['2'] },
      undefined,
    ],
  ])('%s', (_, answer, told, whole) => {
    const judged = judge(answer);
    expect(judged).toMatchObject({
      kind: 'taken',
      added: [],
      changed: [],
      ...told,
    });
    if (whole !== undefined && judged.kind === 'taken') expect(judged.text).toBe(whole);
  });
});

describe('refused', () => {
  test.each([
    ['a task is dropped', two, 'task 3 (Three) is dropped'],
    ['a check is dropped', `${two.replace('- check: `b`\n', '')}\n${three}`, 'task 2 loses its check `b`'],
    ['a check is changed', `${two.replace('`b`', '`b || true`')}\n${three}`, 'task 2 loses its check `b`'],
    [
      'a check moves to another task',
      `${two.replace('- check: `b`\n', '')}\n${three}- check: \`b\`\n`,
      'task 2 loses its check `b`',
    ],
    [
      'a check is excused',
      `${two.replace('`b`', '`b` (known red)')}\n${three}`,
      'task 2 excuses or puts off its check `b`',
    ],
    [
      'a check is put off',
      `${two.replace('`b`', '`b` (at end)')}\n${three}`,
      'task 2 excuses or puts off its check `b`',
    ],
    [
      'a criterion goes',
      `${two.replace('- criterion: it is fast\n', '')}\n${three}`,
      'task 2 loses its criterion: it is fast',
    ],
    ['another model', `${two.replace('sonnet', 'opus')}\n${three}`, 'task 2 has another `model`'],
    ['a budget', `${two}- budget: 9\n\n${three}`, 'task 2 has another `budget`'],
    ['another folder', `${two}- cwd: x\n\n${three}`, 'task 2 has another `cwd`'],
    ['tools', `${two}- tools: Bash\n\n${three}`, 'task 2 has another `tools`'],
    [
      'a step is left to a person',
      `${two.replace('too', 'too (manual)')}\n${three}`,
      'task 2 leaves more steps to a person',
    ],
    [
      'a new task without work',
      `${two}\n### Task 4: x\n- [ ] y (manual)\n\n${three}`,
      'task 4 has no open step for an agent, so it would close by itself',
    ],
    ['a new task sets a model', `${two}\n${newTask}- model: x\n\n${three}`, 'the new task 2a sets `model`'],
  ])('%s', (_, answer, reason) => {
    expect(judge(answer)).toEqual({ kind: 'refused', reasons: [reason] });
  });

  test.each([
    [
      'a closed task is changed',
      `${closed.replace('one', 'eins')}\n${two}\n${three}`,
      'task 1 is closed, and closed tasks must stay as they are',
    ],
    [
      'a closed task is opened',
      `${closed.replace('[x]', '[ ]')}\n${two}\n${three}`,
      'task 1 is closed, and closed tasks must stay as they are',
    ],
    [
      'a step is ticked',
      `${two.replace('[ ] too', '[x] too')}\n${three}`,
      'task 2 ticks a step that nobody did: too',
    ],
  ])('%s, always', (_, answer, reason) => {
    expect(judge(answer)).toEqual({ kind: 'refused', reasons: [reason] });
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
