import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { isClosed, type Plan, pickTask, untrackedBoxes } from '../../src/plan/plan.ts';
import { setBoxes } from '../../src/plan/tick.ts';
import { inSoak } from '../helpers/share.ts';
import { soup } from './soup.ts';

/** Tasks as `1[x,-,m,t]`: ticked, open, manual, the title of a task without boxes. */
function shape(plan: Plan): string[] {
  return plan.tasks.map(({ id, steps }) => {
    const boxes = steps.map((step) => (step.implicit ? 't' : step.ticked ? 'x' : step.manual ? 'm' : '-'));
    return `${id}[${boxes.join(',')}]`;
  });
}

/** Rules of lint with their lines, warnings on missing checks left out. */
function lint(plan: Plan): string[] {
  const notes = lintPlan(plan).filter(({ rule }) => rule !== 'task-without-check');
  return notes.map(({ rule, place }) => `${rule}:${place.line}`);
}

/** Also as ralphex reads them (pkg/plan/parse.go of c36bfdc), which has no task where there is no box. */
const cases: readonly (readonly [name: string, text: string, told: string])[] = [
  [
    'two tasks',
    '# Plan: My Test Plan\n\n### Task 1: First Task\n- [ ] a\n- [x] b\n- [ ] c\n\n### Task 2: Second Task\n- [ ] d\n- [ ] e\n',
    '1[-,x,-] 2[-,-] next 1',
  ],
  ['Iteration', '### Iteration 1: A\n- [ ] a\n### Iteration 2: B\n- [x] b\n', '1[-] 2[x] next 1'],
  ['prose only', '### Task 1: a\nProse.\n### Task 2: b\n- [ ] c\n', '1[t] 2[-] next 1 task-without-steps:1'],
  ['both cases of x', '### Task 1: a\n- [X] a\n- [x] b\n', '1[x,x]'],
  ['empty file', '', 'no-tasks:1'],
  [
    'a step before the first task',
    '# Plan: a\n- [ ] lost\n### Task 1: a\n- [x] b\n',
    '1[x] step-outside-task:2',
  ],
  [
    'a step behind the tasks',
    '### Task 1: a\n- [x] b\n\n## Success criteria\n- [ ] c\n',
    '1[x] step-outside-task:5',
  ],
  [
    'a second h1 ends the task',
    '# Plan: a\n### Task 1: a\n- [x] b\n# Overview\n- [ ] c\n',
    '1[x] step-outside-task:5',
  ],
  ['a subsection belongs to its task', '### Task 1: a\n- [x] b\n#### Sub\n- [ ] c\n', '1[x,-] next 1'],
  [
    'decimal ids',
    '### Task 1: a\n- [x] s\n### Task 2: b\n- [x] s\n### Task 2.5: c\n- [ ] s\n### Task 3: d\n- [ ] s\n',
    '1[x] 2[x] 2.5[-] 3[-] next 2.5',
  ],
  ['a letter in the id', '### Task 2a: x\n- [ ] s\n', '2a[-] next 2a'],
  ['no blank line', '### Task 1: a\n- [ ] s', '1[-] next 1'],
  ['nested steps', '### Task 1: a\n- [ ] s\n  - [x] t\n    - [ ] u\n', '1[-,x,-] next 1'],
  [
    'brackets in a step',
    '### Task 1: a\n- [ ] has [ ] inside\n- [ ] a string[] value\n- [ ] [] first\n',
    '1[-,-,-] next 1',
  ],
  [
    'every kind of bullet',
    '### Task 1: a\n* [ ] s\n\n+ [ ] t\n\n1. [ ] u\n\n1) [x] v\n',
    '1[-,-,-,x] next 1',
  ],
  ['a fence', '### Task 1: a\n   ```\n### Task 2: b\n- [ ] c\n- [ ] d\n   ```\n- [x] e\n- [x] f\n', '1[x,x]'],
  ['a tilde fence', '### Task 1: a\n~~~\n- [ ] c\n~~~\n- [x] e\n', '1[x]'],
  ['an unclosed fence', '### Task 1: a\n- [x] e\n```\n- [ ] c\n- [ ] d\n', '1[x] unclosed:3'],
  ['one that hides no work', '### Task 1: a\n- [x] e\n```sh\n# install\nnpm ci\n', '1[x]'],
  [
    'one that a fence within a fence leaves behind',
    '### Task 1: a\r\n- [x] e\r\n```md\r\n```sh\r\nb\r\n```\r\n```\r\n### Task 2: c\r\n- [ ] d\r\n',
    '1[x] unclosed:7',
  ],
  ['an unclosed comment', '### Task 1: a\n- [x] e\n\n<!-- b\n### Task 2: c\n', '1[x] unclosed:4'],
  ['a closed comment', '### Task 1: a\n- [x] e\n\n<!-- b\n### Task 2: c\n--> d\n', '1[x]'],
  [
    'an element that shows what it holds as it is',
    '### Task 1: a\n- [x] e\n<pre>\n- [ ] c\n',
    '1[x] unclosed:3',
  ],
  ['fences in a fence', '### Task 1: a\n````\n```\n- [ ] c\n```\n- [ ] d\n````\n- [x] e\n', '1[x]'],
  [
    'an inner fence does not close',
    '### Task 1: a\n```markdown\n- [ ] c\n```bash\n- [ ] d\n```\n- [x] e\n',
    '1[x]',
  ],
  ['inline code', '### Task 1: a\n- [ ] run `a [ ] b`\n- [x] `c`\n', '1[-,x] next 1'],
  ['CRLF', '# Plan: a\r\n\r\n### Task 1: a\r\n- [ ] s\r\n- [x] t\r\n', '1[-,x] next 1'],
  [
    'boxes below a heading that only fails to be a task are told with it, others once for each heading',
    '- [ ] a\n- [ ] b\n## Task 1 First\n- [ ] c\n- [ ] d\n## Later\n- [ ] e\n\n**Task 2: f**\n- [ ] g\n',
    'step-outside-task:1 near-miss-heading:3 step-outside-task:7 near-miss-heading:9',
  ],
  [
    'a duplicate id beside the one it would get',
    '### Task 1: a\n- [ ] s\n### Task 1-2: b\n- [ ] t\n### Task 1: c\n- [ ] u\n',
    '1[-] 1-2[-] 1-3[-] next 1 duplicate-id:5',
  ],
  [
    'a heading of the task’s own depth stays in it',
    '### Task 1: a\n### Steps\n- [x] s\n### More\n- [ ] t\n### Task 2: b\n- [ ] u\n## Later\n- [ ] v\n',
    '1[x,-] 2[-] next 1 step-outside-task:9',
  ],
  [
    'a heading above the task’s depth ends it',
    '### Phase 1\n#### Task 1: a\n- [x] s\n#### Notes\n- [ ] t\n### Phase 2\n- [ ] u\n',
    '1[x,-] next 1 step-outside-task:7',
  ],
  ['only manual steps left', '### Task 1: a\n- [x] s\n- [ ] t (manual)\n', '1[x,m]'],
  ['an HTML comment', '### Task 1: a\n<!--\n### Task 2: b\n\n- [ ] c\n-->\n- [x] d\n', '1[x]'],
  ['a quote', '### Task 1: a\n> ### Task 2: b\n> - [ ] c\n\n- [x] d\n- e\n  > - [ ] f\n', '1[x]'],
  ['an underlined heading is no task', 'Task 1: a\n---------\n- [ ] s\n', 'near-miss-heading:1'],
  [
    'depths 2 to 4',
    '## Task 1: a\n- [x] s\n#### Task 2: b\n- [ ] s\n### Task 3: c\n- [ ] s\n',
    '1[x] 2[-] 3[-] next 2',
  ],
  ['a byte order mark', '\uFEFF### Task 1: a\n- [ ] s\n', '1[-] next 1'],
  ['a comment in the heading', '### Task 1: a <!-- note -->\n- [ ] s\n', '1[-] next 1'],
];

describe('parsePlan', () => {
  test.each(cases)('%s', (_, text, told) => {
    const plan = parsePlan(text, 'file.md');
    const next = pickTask(plan);
    expect([...shape(plan), ...(next ? [`next ${next.id}`] : []), ...lint(plan)].join(' ')).toBe(told);
  });

  test('case 1: title, task titles, sections and places', () => {
    const text = '# Plan: My Test Plan\n\nWhy.\n\n### Task 1: Add `x` ###\nProse.\n- [ ] a\n\n\n## End\n';
    const plan = parsePlan(text, 'file.md');
    expect([plan.title, plan.overview]).toEqual(['My Test Plan', 'Why.']);
    expect(plan.tasks[0]).toMatchObject({
      title: 'Add `x`',
      source: '### Task 1: Add `x` ###\nProse.\n- [ ] a',
      place: { line: 5, column: 1, offset: 28 },
    });
    expect(plan.tasks[0]?.steps[0]?.box).toEqual({ line: 7, column: 4, offset: text.indexOf('[ ]') + 1 });
  });

  test.each([
    ['5 the file name', '### Task 1: a\n- [ ] s\n', 'docs/plans/my-plan.md', 'my-plan'],
    ['an underlined h1', 'A plan\n======\n', 'x.md', 'A plan'],
    ['the first h1 of two', '# One\n# Two\n', 'x.md', 'One'],
    ['Plan: in any case', '# PLAN:  One\n', 'x.md', 'One'],
    [
      'a ticket that looks like a task',
      '# Task 12: Fix login\n### Task 1: a\n- [ ] s\n',
      'x.md',
      'Task 12: Fix login',
    ],
    ['an empty h1', '#\n', 'x.markdown', 'x'],
  ])('title: %s', (_, text, file, title) => {
    expect(parsePlan(text, file).title).toBe(title);
  });

  test.each([
    [
      'its section',
      '# P\nBefore.\n\n## Overview\nWhy.\n\n- so\n\n### More\nYes.\n\n## Other\nNo.\n',
      'Why.\n\n- so\n\n### More\n\nYes.',
    ],
    ['up to a task', '## Overview\nWhy.\n### Task 1: a\nx\n', 'Why.'],
    [
      'else what stands before the tasks',
      '---\nmodel: a\n---\n# P\nOne.\n\n## Checks\n- `a`\n\n## Notes\nTwo.\n\n### Task 1: a\nThree.\n',
      'One.\n\n## Notes\n\nTwo.',
    ],
    ['nothing', '### Task 1: a\n', ''],
  ])('overview: %s', (_, text, overview) => {
    expect(parsePlan(text, 'x.md').overview).toBe(overview);
  });

  test('never throws, tells nothing twice, and every box is where it says', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), soup);
    const holds = fc.property(texts, (text) => {
      const plan = parsePlan(text, 'x.md');
      const all = [...plan.tasks.flatMap((task) => task.steps), ...(plan.looseSteps ?? [])];
      const steps = all.filter(({ implicit }) => !implicit);
      for (const { box, ticked } of steps) {
        expect(text.slice(box.offset - 1, box.offset + 2)).toMatch(ticked ? /^\[[xX]\]$/ : /^\[[ \t]\]$/);
      }
      lintPlan(plan);
      const notes = plan.notes.map(({ place, message }) => `${place.offset} ${message}`);
      expect(new Set(notes).size).toBe(notes.length);
      expect(plan.tasks.every((task) => typeof isClosed(task) === 'boolean')).toBe(true);
    });
    fc.assert(holds, { numRuns: 150 });
  });

  test('a tick changes one character and ticks exactly that step', () => {
    const holds = fc.property(soup, fc.nat(), (rest, seed) => {
      const text = `### Task 0: z\n- [ ] s\n\n${rest}`;
      const before = parsePlan(text, 'x.md');
      const boxes = before.tasks.flatMap((task) => task.steps).filter((step) => !step.implicit);
      const open = boxes.filter((step) => !step.ticked);
      const step = open[seed % Math.max(1, open.length)];
      fc.pre(step !== undefined);
      const ticked = setBoxes(text, [step], 'x');
      expect(ticked).toHaveLength(text.length);
      expect([...ticked].filter((character, at) => character !== [...text][at])).toEqual(['x']);
      const expected = before.tasks.map(({ id, steps }) => [
        id,
        steps.map((each) => (each === step ? { ...each, ticked: true } : each)),
      ]);
      expect(parsePlan(ticked, 'x.md').tasks.map(({ id, steps }) => [id, steps])).toEqual(expected);
    });
    fc.assert(holds, { numRuns: 150 });
  });

  test('a line of 250 kB', () => {
    const text = `### Task 1: a\n- [ ] ${'word '.repeat(50_000)}\n- [ ] b\n`;
    expect(shape(parsePlan(text, 'x.md'))).toEqual(['1[-,-]']);
  }, 60_000);

  test('1,000 tasks', () => {
    const task = (_: unknown, index: number) =>
      `### Task ${index}: a\n- check: \`make ${index}\`\n- [ ] b\n- [x] c\n\n`;
    const plan = parsePlan(Array.from({ length: 1000 }, task).join(''), 'x.md');
    expect(plan.tasks).toHaveLength(1000);
    expect(plan.tasks[999]).toMatchObject({ id: '999', steps: [{ ticked: false }, { ticked: true }] });
    expect(plan.tasks[999]?.checks[0]).toMatchObject({ id: 'task:999:1', place: { line: 999 * 5 + 2 } });
  });

  test('nesting that exhausts the stack is a note', () => {
    const plan = parsePlan(`### Task 1: a\n- [ ] s\n\n${'>'.repeat(8000)} a\n`, 'x.md');
    expect(plan.notes.map(({ rule }) => rule)).toEqual(['unreadable']);
  });

  test.each<[string, string]>([
    ['a text of megabytes', '- [ ] word\n\n'.repeat(50_000)],
    ['brackets in pairs', '[a][b]'.repeat(30_000)],
    ['lists in lists', '- [ ] a\n  - [ ] b\n'.repeat(10_000)],
  ])('%s, which would take the parser minutes, is refused before', (_, hostile) => {
    const plan = parsePlan(`### Task 1: a\n- [ ] s\n\n${hostile}\n`, 'x.md');
    expect(plan.notes.map(({ rule }) => rule)).toEqual(['unreadable']);
    expect(plan.tasks).toEqual([]);
  });

  test('the paragraph that is refused is named by its line', () => {
    const plan = parsePlan(`### Task 1: a\n- [ ] s\n\n${'[a][b]'.repeat(3_000)}\n`, 'x.md');
    expect(plan.notes.map(({ place }) => place.line)).toEqual([4]);
  });

  inSoak.each<[string, string]>([
    ['brackets in pairs', `${'[a][b]'.repeat(700)}\n\n`.repeat(60)],
    ['comments that are never closed', `${'x <!-- '.repeat(1400)}\n\n`.repeat(25)],
    ['lists in lists', '- [ ] a\n  - [ ] b\n'.repeat(2_900)],
    ['lines that hide boxes', '<br>\n- [ ] b\n\n'.repeat(18_000)],
    ['headings', '# a\n'.repeat(65_000)],
    ['a quote in a quote', `${'> '.repeat(100)}a\n`.repeat(1_200)],
  ])('%s up to the bounds are read', { timeout: 120_000 }, (_, hostile) => {
    expect(() => parsePlan(`### Task 1: a\n- [ ] s\n\n${hostile}\n`, 'x.md')).not.toThrow();
  });
});

test('what comes last is read, or a note says what hides it', () => {
  const isRead = fc.property(soup, (before) => {
    const text = `### Task 1: a\n- [ ] b\n${before}\n### Task 77: c\n- [ ] the last\n`;
    const plan = parsePlan(text, 'x.md');
    const steps = plan.tasks.find(({ id }) => id === '77')?.steps ?? [];
    const [read, last] = [steps.some((step) => step.text === 'the last'), text.split('\n').length - 2];
    const isTold = plan.notes.some(({ rule, place }) => rule === 'unclosed' || place.line >= last - 1);
    expect(read || isTold, text).toBe(true);
  });
  fc.assert(isRead, { numRuns: 300 });
});

test('what was read before changes nothing', () => {
  const same = fc.property(soup, soup, fc.nat(), (before, after, seed) => {
    parsePlan('', 'plan.md');
    const fresh = JSON.stringify(parsePlan(`${before}\n${after}`, 'plan.md'));
    const cut = seed % (before.length + 1);
    for (const text of [before, `${before}\n${after}`, before.slice(cut) + after, before])
      parsePlan(text, 'plan.md');
    expect(JSON.stringify(parsePlan(`${before}\n${after}`, 'plan.md'))).toBe(fresh);
  });
  fc.assert(same, { numRuns: 100 });
});

test('what was read last is not read again, under its name alone', () => {
  const text = '### Task 1: a\n- [ ] b\n';
  const plan = parsePlan(text, 'a.md');
  expect(parsePlan(text, 'a.md')).toBe(plan);
  expect(parsePlan(text, 'b.md').title).toBe('b');
  expect(parsePlan(`${text}- [ ] c\n`, 'b.md').tasks[0]?.steps).toHaveLength(2);
  const loose = `${text}## Phase 2: c\n- [ ] c\n`;
  expect(untrackedBoxes(parsePlan(loose, 'a.md'))).toHaveLength(1);
  expect(untrackedBoxes(parsePlan(loose.replace('[ ] c', '[x] c'), 'a.md'))).toEqual([]);
});
