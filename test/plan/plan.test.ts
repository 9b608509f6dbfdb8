import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import { isClosed, pickTask, waitsOf } from '../../src/plan/plan.ts';

const plan = (...tasks: [depends: string | undefined, ...boxes: string[]][]) => {
  const sections = tasks.map(([depends, ...boxes], index) => {
    const steps = boxes.map((box) => `- [${box.charAt(0)}] s${box.slice(1)}`);
    return [`### Task ${index + 1}: a`, ...(depends ? [`- depends: ${depends}`] : []), ...steps, ''].join(
      '\n',
    );
  });
  return parsePlan(sections.join('\n'), 'x.md');
};

test.each([
  ['all ticked', ['x', 'x'], true],
  ['one open', ['x', ' '], false],
  ['only manual steps open', ['x', '  (manual)'], true],
  ['only manual steps', ['  (manual)'], true],
  ['no boxes: the title is the step', [], false],
])('isClosed: %s', (_, boxes, closed) => {
  expect(plan([undefined, ...boxes]).tasks.map(isClosed)).toEqual([closed]);
});

describe('waitsOf and pickTask', () => {
  test.each([
    [
      'one depends ends the chain',
      plan([undefined, ' '], [undefined, ' '], ['1', ' ']),
      [[], [], ['1']],
      '1',
    ],
    ['the first closed', plan([undefined, 'x'], [undefined, ' ']), [[], ['1']], '2'],
    ['waiting for a later one', plan(['2', ' '], [undefined, ' ']), [['2'], []], '2'],
    [
      'another tool’s list keeps its order, whatever one task says',
      parsePlan('- [ ] a\n- [ ] b\n  - depends: none\n- [ ] c\n', 'tasks.md'),
      [[], [], ['2']],
      '1',
    ],
    ['all closed', plan([undefined, 'x'], [undefined, 'x']), [[], ['1']], undefined],
  ])('%s', (_, some, depends, next) => {
    expect([...waitsOf(some).values()]).toEqual(depends);
    expect(pickTask(some)?.id).toBe(next);
  });

  test('an excluded task holds back what waits for it, and nothing else', () => {
    const some = plan([undefined, ' '], ['1', ' '], ['none', ' ']);
    expect(pickTask(some, new Set(['1']))?.id).toBe('3');
    expect(pickTask(some, new Set(['1', '3']))).toBeUndefined();
  });
});
