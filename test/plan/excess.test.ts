// What no markdown parser is given, since it would be busy for minutes; and what people write, which it always is.
import { describe, expect, test } from 'vitest';
import { findExcess } from '../../src/plan/excess.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const task = '# Plan: x\n\n### Task 1: a\n- [ ] do\n\n';

describe('is refused at its line', () => {
  test.each([
    ['quotes in quotes', '>'.repeat(60_000), 'nested 60000 deep'],
    ['lists in lists', `${'- '.repeat(30_000)}a`, 'nested 30000 deep'],
    ['numbers in quotes', `${'> 1. '.repeat(9_000)}a`, 'nested 18000 deep'],
    ['a list far to the right', `${' '.repeat(400)}- a`, 'nested 101 deep'],
    ['emphasis that opens again and again', '~~a'.repeat(20_000), 'marks of emphasis'],
    ['brackets that close', 'a]\n'.repeat(20_000), 'marks of emphasis'],
    ['quotes without end', `${'>'.repeat(30)}a\n\n`.repeat(2_000), 'list items or quotes'],
  ])('%s', (_, text, why) => {
    const { notes, tasks } = parsePlan(`${task}${text}\n`, 'p.md');
    expect(tasks).toEqual([]);
    expect(notes.map(({ rule, severity }) => `${severity} ${rule}`)).toEqual(['error unreadable']);
    expect(notes[0]?.message).toContain(why);
    expect(notes[0]?.place.line).toBeGreaterThan(5);
  });
});

test.each([
  ['rules of any length', `${'- '.repeat(200)}\n\n${'*'.repeat(70_000)}\n`],
  ['data in a fence', `\`\`\`json\n${'[["a_b"]]\n'.repeat(9_000)}\`\`\`\n`],
  ['a quote in a fence', `~~~\n${'>'.repeat(500)}\n~~~\n`],
  ['a list of many boxes', '- [ ] `a_b` *c*\n'.repeat(9_000)],
  ['a table of many rows', '| [a](b) | c_d_e |\n'.repeat(9_000)],
  ['many headings with lists', '## A\n\n- a\n- b\n- c\n\n'.repeat(9_000)],
  ['a megabyte in a line', 'word '.repeat(200_000)],
  [
    'lists as deep as people think',
    Array.from({ length: 20 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n'),
  ],
])('%s may be there', (_, text) => {
  expect(findExcess(`${task}${text}`)).toBeUndefined();
});
