import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import { onlyTicked, setBoxes, tickTask, untickTask } from '../../src/plan/tick.ts';
import { soup } from './soup.ts';

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

  test('a box is unticked as it was ticked', () => {
    const steps = plan.tasks[1]?.steps ?? [];
    expect(setBoxes(setBoxes(text, steps, 'x'), steps, ' ')).toBe(text);
  });

  test('untickTask opens what was ticked since the task began, and no manual step', () => {
    const done = parsePlan(ticked.replace('- [ ] three', '- [x] three'), 'x.md');
    expect(untickTask(done, '1', plan)).toBe(text.replace('- [ ] three', '- [x] three').replace('\t', ' '));
    expect(untickTask(done, '1')).toBe(
      text.replace('- [x] two', '- [ ] two').replace('- [ ] three', '- [x] three').replace('\t', ' '),
    );
    const edited = parsePlan(text.replace('- [x] two\r\n', ''), 'x.md');
    expect(untickTask(done, '1', edited)).toBe(untickTask(done, '1'));
    expect(untickTask(plan, '9')).toBe(plan.text);
  });

  test('steps in any order, and none', () => {
    const steps = plan.tasks.flatMap((task) => task.steps).filter((step) => !step.ticked);
    expect(setBoxes(text, steps.toReversed(), 'x')).toBe(setBoxes(text, steps, 'x'));
    expect(setBoxes(text, [], 'x')).toBe(text);
  });

  test('a box that is not as expected is a bug', () => {
    const [one, two] = plan.tasks[0]?.steps ?? [];
    expect(() => setBoxes(text, two ? [two] : [], 'x')).toThrow('no such box at line 4, column 4: found "x"');
    expect(() => setBoxes(text, one ? [one] : [], ' ')).toThrow('no such box at line 3, column 4: found " "');
    expect(() => setBoxes(text.replaceAll('[', ' '), one ? [one] : [], 'x')).toThrow('no such box');
    expect(() => setBoxes('', one ? [one] : [], 'x')).toThrow('found ""');
    expect(tickTask(plan, '9')).toBe(plan.text);
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

describe('a task without boxes', () => {
  const tick = (text: string) => tickTask(parsePlan(text, 'x.md'), '1');

  test.each([
    ['prose below a blank line', '### Task 1: a\n\nWhy.\n', '### Task 1: a\n\n- [x] a\n\nWhy.\n'],
    ['prose right below', '### Task 1: a\nWhy.\n', '### Task 1: a\n\n- [x] a\n\nWhy.\n'],
    ['nothing below', '### Task 1: a', '### Task 1: a\n\n- [x] a'],
    ['a last line end', '### Task 1: a\n', '### Task 1: a\n\n- [x] a\n'],
    ['attributes', '### Task 1: a\n- files: b\n', '### Task 1: a\n\n- [x] a\n\n- files: b\n'],
    ['indented code', '### Task 1: a\n\n    b\n', '### Task 1: a\n\n- [x] a\n\n<!-- -->\n\n    b\n'],
    [
      'an indented line below HTML',
      '### Task 1: a\n<p>\n  b\n',
      '### Task 1: a\n\n- [x] a\n\n<!-- -->\n\n<p>\n  b\n',
    ],
    ['Windows line ends', '### Task 1: a ##  \r\nb\r\n', '### Task 1: a ##  \r\n\r\n- [x] a\r\n\r\nb\r\n'],
    ['a number alone', '### Task 1:\n', '### Task 1:\n\n- [x] Task 1\n'],
  ])('is ticked by a box of its title: %s', (_, text, expected) => {
    expect(tick(text)).toBe(expected);
    expect(parsePlan(expected, 'x.md').tasks).toMatchObject([{ id: '1', steps: [{ ticked: true }] }]);
  });

  test('is open again when that box is', () => {
    const before = parsePlan('### Task 1: a\n\nWhy.\n', 'x.md');
    const done = parsePlan(tickTask(before, '1'), 'x.md');
    expect(untickTask(done, '1', before)).toBe('### Task 1: a\n\n- [ ] a\n\nWhy.\n');
  });

  test('is a person’s where its title says so', () => {
    const { tasks } = parsePlan('### Task 1: Deploy (manual)\n### Task 2: `(manual)` in code\n', 'x.md');
    expect(tasks.map(({ steps }) => steps[0]?.manual)).toEqual([true, false]);
  });

  test('is closed by its tick alone, whatever stands below', () => {
    const holds = fc.property(soup, soup, (before, below) => {
      const plan = parsePlan(`${before}\n\n### Task 77: the title\n${below}`, 'x.md');
      const task = plan.tasks.find(({ id }) => id === '77');
      fc.pre(task?.steps[0]?.implicit === true);
      const after = parsePlan(tickTask(plan, '77'), 'x.md');
      const rest = (one: typeof plan) =>
        one.tasks.map(({ id, steps, checks, files, criteria }) => [
          id,
          id === '77' ? 0 : steps.map(({ text, ticked }) => [text, ticked]),
          checks.map(({ command }) => command),
          files,
          criteria,
        ]);
      expect(rest(after)).toEqual(rest(plan));
      expect(after.tasks.find(({ id }) => id === '77')?.steps).toMatchObject([
        { text: 'the title', ticked: true },
      ]);
    });
    fc.assert(holds, { numRuns: 150 });
  });
});

describe('a plan whose boxes alone have changed', () => {
  const flip = (of: string, seed: number): string => {
    const boxes = parsePlan(of, 'x.md').tasks.flatMap(({ steps }) =>
      steps.filter(({ implicit }) => !implicit),
    );
    const some = boxes.filter((_, at) => ((seed >> (at % 30)) & 1) === 1);
    return some.reduce((now, { box, ticked }) => {
      return `${now.slice(0, box.offset)}${ticked ? ' ' : 'x'}${now.slice(box.offset + 1)}`;
    }, of);
  };

  test('is taken over as a parser reads it', () => {
    const isSame = fc.property(soup, fc.nat(), (before, seed) => {
      const after = flip(before, seed);
      const taken = parsePlan(after, 'x.md');
      expect({ ...taken, title: '' }).toEqual({ ...parsePlan(after, 'of no plan before.md'), title: '' });
    });
    fc.assert(isSame, { numRuns: 300 });
  });

  test('costs no parser: what has not changed is the same object', () => {
    const before = parsePlan(text, 'x.md');
    expect(parsePlan(ticked, 'x.md').checks).toBe(before.checks);
    expect(parsePlan(`${ticked}\nmore\n`, 'x.md').checks).not.toBe(before.checks);
  });
});
