import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import { onlyTicked, tickSteps, tickTask, untickSteps, untickTask } from '../../src/plan/tick.ts';

const text = [
  '# Plan: a',
  '### Task 1: a',
  '- [ ] one [ ] `[ ]`',
  '- [x] two',
  '- [ ] three (manual)',
  '- [\t] four',
  '```',
  '- [ ] code',
  '```',
  '### Task 2: b',
  '- [ ] five',
  '## End',
  '- [ ] loose',
  '',
].join('\r\n');
const plan = parsePlan(text, 'x.md');
const ticked = text.replace('- [ ] one', '- [x] one').replace('[\t]', '[x]');

describe('ticks', () => {
  test('22 tickTask ticks open steps but manual ones, and leaves every CRLF', () => {
    expect(tickTask(plan, '1')).toBe(ticked);
    expect(parsePlan(ticked, 'x.md').tasks[0]?.steps.map((step) => step.ticked)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  test('untickSteps is the way back', () => {
    const steps = plan.tasks[1]?.steps ?? [];
    expect(untickSteps(tickSteps(text, steps), steps)).toBe(text);
  });

  test('untickTask opens what was ticked since the task began, and no manual step', () => {
    const done = parsePlan(ticked.replace('- [ ] three', '- [x] three'), 'x.md');
    expect(untickTask(done, '1', plan)).toBe(text.replace('- [ ] three', '- [x] three').replace('\t', ' '));
    expect(untickTask(done, '1')).toBe(
      text.replace('- [x] two', '- [ ] two').replace('- [ ] three', '- [x] three').replace('\t', ' '),
    );
    const edited = parsePlan(text.replace('- [x] two\r\n', ''), 'x.md');
    expect(untickTask(done, '1', edited)).toBe(untickTask(done, '1'));
    expect(() => untickTask(plan, '9')).toThrow('no task 9');
  });

  test('steps in any order, and none', () => {
    const steps = plan.tasks.flatMap((task) => task.steps).filter((step) => !step.ticked);
    expect(tickSteps(text, steps.toReversed())).toBe(tickSteps(text, steps));
    expect(tickSteps(text, [])).toBe(text);
  });

  test('a box that is not as expected is a bug', () => {
    const [one, two] = plan.tasks[0]?.steps ?? [];
    expect(() => tickSteps(text, two ? [two] : [])).toThrow('no such box at line 4, column 4: found "x"');
    expect(() => untickSteps(text, one ? [one] : [])).toThrow('no such box at line 3, column 4: found " "');
    expect(() => tickSteps(text.replaceAll('[', ' '), one ? [one] : [])).toThrow('no such box');
    expect(() => tickSteps('', one ? [one] : [])).toThrow('found ""');
    expect(() => tickTask(plan, '9')).toThrow('the plan has no task 9');
  });

  test('a byte order mark stays and moves nothing', () => {
    const marked = `\uFEFF${text}`;
    expect(tickTask(parsePlan(marked, 'x.md'), '1')).toBe(`\uFEFF${ticked}`);
  });
});

describe('onlyTicked', () => {
  const changes = (after: string, before = text) =>
    onlyTicked(before, after)?.map(({ step, task, ticked }) => [step.text, task, ticked]);

  test.each([
    ['nothing', text, []],
    ['one tick', text.replace('- [ ] five', '- [X] five'), [['five', '2', true]]],
    ['an untick', text.replace('[x] two', '[ ] two'), [['two', '1', false]]],
    ['a box outside tasks', text.replace('- [ ] loose', '- [x] loose'), [['loose', undefined, true]]],
    ['another case', text.replace('[x] two', '[X] two'), []],
    ['a manual step', text.replace('[ ] three', '[x] three'), [['three (manual)', '1', true]]],
  ])('%s', (_, after, expected) => {
    expect(changes(after)).toEqual(expected);
  });

  test.each([
    ['a box in code', text.replace('- [ ] code', '- [x] code')],
    ['brackets in a step', text.replace('one [ ]', 'one [x]')],
    ['another mark in a box', text.replace('- [ ] five', '- [~] five')],
    ['another letter', text.replace('five', 'fivE')],
    ['a longer text', `${text}x`],
    ['line ends', text.replace('\r\n', '\n ')],
    ['a tick and an edit', ticked.replace('five', 'sixx')],
  ])('undefined: %s', (_, after) => {
    expect(after).not.toBe(text);
    expect(changes(after)).toBeUndefined();
  });
});
