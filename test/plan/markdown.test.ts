import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';

const boxes = (text: string) =>
  parsePlan(`### Task 1: a\n${text}`, 'x.md')
    .tasks.flatMap(({ steps }) => steps.map((step) => `${step.text}:${step.box.line}`))
    .join(' ');

describe('readMarkdown', () => {
  test.each([
    ['a summary', '<details>\n<summary>More</summary>\n- [ ] b\n- [ ] c\n\n</details>\n', 'b:4 c:5'],
    ['the end of details', '</details>\n- [ ] b\n', 'b:3'],
    ['a line break', '<br>\n* [ ] b\n', 'b:3'],
    ['two such lines', '<br>\n- [ ] b\n\n<br/>\n- [ ] c\n', 'b:3 c:6'],
    ['many such lines', '<br>\n- [ ] b\n\n'.repeat(6), 'b:3 b:6 b:9 b:12 b:15 b:18'],
    ['a line in an item', '- item\n  <details>\n  - [ ] b\n', 'b:4'],
    ['one that hides another', '<p>\n- [ ] b\n<br>\n\n<p>\n- [ ] c\n', 'b:3 c:7'],
    ['a fence behind it', '<br>\n- [ ] b\n```\n\n- [ ] no\n```\n- [ ] c\n', 'b:3 c:8'],
    ['no comment', '<!-- a\n- [ ] b\n-->\n- [ ] c\n', 'c:5'],
    ['no script', '<pre>\n- [ ] b\n</pre>\n- [ ] c\n', 'c:5'],
    ['no line without a box', '<div>\n- b\n</div>\n\n- [ ] c\n', 'c:6'],
  ])('a box below HTML: %s', (_, text, expected) => {
    expect(boxes(text)).toBe(expected);
  });

  test('a task heading below HTML begins its task', () => {
    const { tasks } = parsePlan('### Task 1: a\n- [x] b\n</details>\n### Task 2: c\n- [ ] d\n', 'x.md');
    expect(tasks.map(({ id, steps }) => `${id}: ${steps.length}`)).toEqual(['1: 1', '2: 1']);
  });
});

describe('a rule `---` at the top', () => {
  const plan = (top: string) =>
    parsePlan(`${top}\n### Task 1: a\n- [ ] b\n\n---\n\n### Task 2: c\n- [ ] d\n`, 'x.md');

  test.each([
    ['above a title', '---\n# Plan: a\n\n## Overview\n- why: it is\n'],
    ['above a title and a line like a key', '---\n# Plan: a\nStatus: draft\n\n## Overview\nWhy.\n'],
    ['above a list', '---\n\n- one\n- two: three\n'],
    ['above words', '---\nWhy this is done: because.\n'],
    ['above a link', '---\nhttps://example.com/a\n'],
  ])('begins no front matter %s', (_, top) => {
    const { tasks, settings, notes } = plan(top);
    expect(tasks.map(({ id }) => id)).toEqual(['1', '2']);
    expect([...settings.keys(), ...notes.filter(({ rule }) => rule === 'front-matter')]).toEqual([]);
  });

  test.each([
    ['keys', '---\nmodel: a\n---\n', ['model']],
    ['a comment and keys', '---\n# of this plan\nmodel: a\n---\n', ['model']],
    ['blank lines', '---\n\nmodel: a\n\n---\n', ['model']],
    ['a quoted key', '---\n"model": a\n---\n', ['model']],
    ['a map in braces', '---\n{ model: a }\n---\n', ['model']],
    ['a byte order mark', '\uFEFF---\nmodel: a\n---\n', ['model']],
    ['Windows line ends', '---\r\nmodel: a\r\n---\r\n', ['model']],
    ['nothing', '---\n---\n', []],
  ])('begins one with %s', (_, top, keys) => {
    const { tasks, settings } = plan(top);
    expect(tasks.map(({ id }) => id)).toEqual(['1', '2']);
    expect([...settings.keys()]).toEqual(keys);
  });

  test('a front matter that is broken is an error, and the tasks are read', () => {
    const { tasks, notes } = plan('---\nbudgets: { maxCost: 2\n---\n');
    expect(tasks).toHaveLength(2);
    expect(notes[0]).toMatchObject({ rule: 'front-matter', severity: 'error' });
  });
});
