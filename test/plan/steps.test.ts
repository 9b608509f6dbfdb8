import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import { isClosed, untrackedBoxes } from '../../src/plan/plan.ts';
import { withoutManualMark } from '../../src/plan/steps.ts';
import { tickTask } from '../../src/plan/tick.ts';

const read = (body: string) => {
  const plan = parsePlan(`### Task 1: a\n${body}`, 'x.md');
  const notes = plan.notes.filter(({ rule }) => rule === 'step-not-a-box');
  const steps = plan.tasks[0]?.steps.filter(({ implicit }) => !implicit) ?? [];
  return { steps, notes };
};

test.each([
  ['try it (manual)', 'try it'],
  ['(manual) try it', 'try it'],
  ['try (Manual) it.', 'try it.'],
  ['**try it (manual)**', '**try it**'],
  ['print `x (manual)` (manual)', 'print `x (manual)`'],
  ['(manual)', '(manual)'],
])('a person reads %o as %o', (text, words) => expect(withoutManualMark(text)).toBe(words));

describe('steps', () => {
  test.each([
    ['plain', '- [ ] add it', 'add it'],
    ['code first', '- [ ] `make` it', '`make` it'],
    ['bold first', '- [ ] **now** do it', '**now** do it'],
    ['brackets first', '- [ ] [] and [ ]', '[] and [ ]'],
    ['a link first', '- [ ] [a](b) c', '[a](b) c'],
    ['more blanks', '-   [ ]    add it  ', 'add it'],
    ['two lines', '- [ ] add\n  it', 'add it'],
    ['a lazy second line', '- [ ] add\nit', 'add it'],
    ['two lines with CRLF', '- [ ] add\r\n  it\r\n', 'add it'],
    ['text on the next line', '- [ ]\n  add it', 'add it'],
    ['box on the next line', '-\n  [ ] add it', 'add it'],
    ['only the first paragraph', '- [ ] add it\n\n  Because.', 'add it'],
    ['tabs for blanks', '-\t[ ]\tadd it', 'add it'],
    ['a tab in the box', '- [\t] add it', 'add it'],
    ['in a list in a list', '- - [ ] add it', 'add it'],
  ])('text: %s', (_, body, text) => {
    const { steps, notes } = read(body);
    expect(steps.map((step) => [step.text, step.ticked])).toEqual([[text, false]]);
    expect(notes).toEqual([]);
  });

  test.each([
    ['at the end', 'try it (manual)', true],
    ['at the start', '(manual) try it', true],
    ['in the middle', 'try (manual) it', true],
    ['in another case', 'try it (Manual).', true],
    ['in bold', '**try it (manual)**', true],
    ['in code', 'print `(manual)`', false],
    ['without brackets', 'read the manual', false],
    ['in another phrase', 'write it (manual page)', false],
  ])('manual %s', (_, text, manual) => {
    expect(read(`- [ ] ${text}`).steps.map((step) => step.manual)).toEqual([manual]);
  });

  test.each<[name: string, body: string, line: number, left?: string]>([
    ['a mark', '- [~] later', 1, '[~] later'],
    ['a mark for what is in work', '- [x] one\n- [/] two', 2, '[/] two'],
    ['a dash, a star, an arrow', '- [x] one\n- [-] two', 2, '[-] two'],
    ['a drawn box', '- ☐ draw it', 1, '☐ draw it'],
    ['a drawn box without a list', 'Text\n☐ draw it', 2, '☐ draw it'],
    ['a row of a table', '| what | done |\n|---|---|\n| add it | [ ] |', 3, '| add it | [ ] |'],
    ['a drawn box in a table', '| ☐ | add it |', 1, '| ☐ | add it |'],
    ['an ideographic blank in it', '- [\u3000] add it', 1, '[\u3000] add it'],
    ['a no-break space in it', '- [\u00A0] add it', 1, '[\u00A0] add it'],
    ['nothing of a width in it', '- [ \u200B] add it', 1, '[ \u200B] add it'],
    ['a no-break space behind the dash', '-\u00A0[ ] add it', 1, '-\u00A0[ ] add it'],
    ['an em space behind the number', '1.\u2003[ ] add it', 1, '1.\u2003[ ] add it'],
    ['a no-break space behind it', '- [ ]\u00A0add it', 1, '[ ]\u00A0add it'],
    ['no bullet', 'Text.\n\n[ ] a', 3, '[ ] a'],
    ['no text', '- [ ]', 1],
    ['no text, ticked', '- [x]\n', 1],
    ['blanks in it, ticked', '- [ x ] a', 1],
    ['a tick mark', '- [✔️] a', 1, '[✔️] a'],
    ['a letter that only looks like x', '- [х] a', 1, '[х] a'],
    ['nothing in it', '- [] a', 1, '[] a'],
    ['no blank behind it', '- [ ]a', 1, '[ ]a'],
    ['broken over two lines', '- [\n  ] a', 1, 'a'],
    ['no blank behind the bullet', '-[ ] a', 1, '-[ ] a'],
    ['a number that cannot interrupt text', 'Text\n2. [ ] a', 2, '2. [ ] a'],
    ['no bullet below a step', '- [x] a\n[ ] b', 2, '[ ] b'],
    ['indented like code', '\n    - [ ] a\n    - [ ] b', 2, '[ ] a'],
  ])('no step, and work that is left if it is open and says something: %s', (_, body, line, left) => {
    const { steps, notes } = read(body);
    expect(steps.filter((step) => !step.ticked)).toEqual([]);
    const told = notes.map(({ place, severity, openBox }) => [place.line - 1, severity, openBox]);
    expect(told).toEqual([[line, 'warning', left]]);
    expect(notes[0]?.message).toContain('write `- [ ] text`');
    const plan = parsePlan(`### Task 1: a\n\n${body}\n`, 'x.md');
    expect(untrackedBoxes(plan)).toEqual(left === undefined ? [] : [{ text: left, line: line + 2 }]);
  });

  test('one outside all tasks is left too', () => {
    const plan = parsePlan('# Plan: a\n- [~] b\n### Task 1: a\n- [x] b\n', 'x.md');
    expect(untrackedBoxes(plan)).toEqual([{ text: '[~] b', line: 2 }]);
  });

  test.each([
    ['a link', '- [a](b) c'],
    ['a link named by a blank', '- [ ](b) c'],
    ['a link named by a mark', '- [~](b) a'],
    ['a date', '- [2026-01-29] a'],
    ['code in a line', '- `[ ]` is a box'],
    ['a reference', '- [1] c'],
    ['a definition', '- [a]: b'],
    ['words', '- [draft] c'],
    ['fenced code', '```\n- [~] a\n    - [ ] b\n| [ ] |\n```'],
    ['a quote', '> - [~] a\n> [ ] b'],
    ['brackets later', '- see [ ] and [~]'],
  ])('no note on %s', (_, body) => {
    expect(read(body)).toEqual({ steps: [], notes: [] });
  });

  test.each([
    [
      'a heading',
      '- [ ] a\n#### Manual Verification:\n- [ ] b\n##### On a phone\n- [ ] c\n#### Docs\n- [ ] d',
      ['b', 'c'],
    ],
    ['a numbered one', '- [ ] a\n#### 6.1 Manual Testing Checklist\n- [ ] b', ['b']],
    ['a line', '- [ ] a\n\n**Manual tests:**\n- [ ] b\n\nThen:\n- [ ] c', ['b']],
    ['no heading on something else', '- [ ] a\n#### Manual installation\n- [ ] b', []],
    ['no sentence', 'Manual tests are slow.\n- [ ] b', []],
  ])('left to a person by %s', (_, body, texts) => {
    const manual = read(body).steps.filter((step) => step.manual);
    expect(manual.map(({ text }) => text)).toEqual(texts);
  });

  test('where all are left to a person, the title is still to be done', () => {
    const text = '## Phase 1: Draw it\nIn blue.\n### Manual Verification\n- [ ] It is blue\n';
    const plan = parsePlan(text, 'x.md');
    expect(plan.tasks[0]?.steps.map((step) => [step.text, step.manual])).toEqual([
      ['Draw it', false],
      ['It is blue', true],
    ]);
    const ticked = tickTask(plan, '1');
    expect(ticked).toBe(text.replace('Draw it\n', 'Draw it\n\n- [x] Draw it\n\n'));
    expect(parsePlan(ticked, 'x.md').tasks.map(isClosed)).toEqual([true]);
  });

  test('the box of a heading is a step, ticked there', () => {
    const text = '## Task 1: [x] Build it\nSo.\n## Task 2: [ ] Try it\n- [ ] twice\n';
    const plan = parsePlan(text, 'x.md');
    expect(plan.tasks.map(({ title, steps }) => [title, steps.map((step) => step.ticked)])).toEqual([
      ['Build it', [true]],
      ['Try it', [false, false]],
    ]);
    expect(tickTask(plan, '2')).toBe(text.replaceAll('[ ]', '[x]'));
  });

  test('a step outside tasks names the heading and the right form', () => {
    const { notes, looseSteps } = parsePlan('### Task 1: b\n- [ ] b\n## Phase 2: Setup\n- [ ] a\n', 'x.md');
    expect(looseSteps?.map(({ text }) => text)).toEqual(['a']);
    expect(notes[0]?.message).toBe(
      'this box under "Phase 2: Setup" is not part of any task, so nobody works on it: a task begins with a heading `### Task 2: Setup`',
    );
  });
});
