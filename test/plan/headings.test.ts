import { describe, expect, test } from 'vitest';
import { nearMiss, readHeading } from '../../src/plan/headings.ts';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';

const task = (id: string, title: string) => ({ kind: 'task', id, title });
const near = (reason: string, form: string) => ({
  kind: 'near-miss',
  message: `looks like a task but is not one (${reason}): write \`### ${form}\``,
});
const other = { kind: 'other' };

describe('readHeading', () => {
  test.each([
    ['Task 1: First', 3, task('1', 'First')],
    ['Iteration 2: B', 2, task('2', 'B')],
    ['Task 2.5: c', 4, task('2.5', 'c')],
    ['Task 2a: x', 3, task('2a', 'x')],
    ['Task A1: x', 3, task('A1', 'x')],
    ['Task N: x', 3, task('N', 'x')],
    ['Task N-1: x', 3, task('N-1', 'x')],
    ['Task 1-2: x', 3, task('1-2', 'x')],
    ['Task 1:', 3, task('1', '')],
    ['Task 1:x', 3, task('1', 'x')],
    ['Task 1 : x', 3, task('1', 'x')],
    ['Task 1: **bold** title', 3, task('1', '**bold** title')],
    ['Task 1 First', 3, near('no colon after the number', 'Task 1: First')],
    ['Task 1', 3, near('no colon after the number', 'Task 1: title')],
    ['Task 1 - First', 3, near('no colon after the number', 'Task 1: First')],
    ['Task 1. First `x`', 3, near('no colon after the number', 'Task 1: First x')],
    ['Task 2：全角', 3, near('no colon after the number', 'Task 2: 全角')],
    ['task 1: a', 3, near('it is not spelled `Task`', 'Task 1: a')],
    ['TASK 1: a', 3, near('it is not spelled `Task`', 'Task 1: a')],
    ['iteration 1: a', 3, near('it is not spelled `Task`', 'Task 1: a')],
    ['**Task 1**: a', 3, near('it is marked up', 'Task 1: a')],
    ['**Task 1: a**', 3, near('it is marked up', 'Task 1: a')],
    ['Task `1`: a', 3, near('it is marked up', 'Task 1: a')],
    ['[ ] Task 1: a', 3, near('something comes before the word', 'Task 1: a')],
    ['✅ Task 1: a', 3, near('something comes before the word', 'Task 1: a')],
    ['Task1: a', 3, near('there is no space before the number', 'Task 1: a')],
    ['Task #1: a', 3, near('there is no space before the number', 'Task 1: a')],
    ['Task 1: a', 5, near('depth 5 is not 2 to 4', 'Task 1: a')],
    ['Task 1: a', 1, near('depth 1 is not 2 to 4', 'Task 1: a')],
    ['Tasks', 2, other],
    ['Task list', 3, other],
    ['Task list: a', 3, other],
    ['Task A thing', 3, other],
    ['Task overview', 2, other],
    ['Tasks 1 and 2', 2, other],
    ['Task force 2', 2, other],
    ['Multitask 1: a', 3, other],
    ['Phase 1: Setup', 3, other],
    ['1. Task', 3, other],
    ['', 3, other],
    ['Validation Commands', 2, { kind: 'checks' }],
    ['validation commands:', 2, { kind: 'checks' }],
    ['Checks', 3, { kind: 'checks' }],
    ['Checks and balances', 2, other],
    ['Overview', 2, { kind: 'overview' }],
    ['Overview of it', 2, other],
  ])('%s at depth %i', (text, depth, kind) => {
    expect(readHeading(text, depth, true)).toEqual(kind);
  });

  test('an underlined heading is none', () => {
    expect(readHeading('Task 1: a', 2, false)).toEqual(near('it is underlined', 'Task 1: a'));
  });
});

test('nearMiss says nothing of other texts', () => {
  expect(nearMiss('some words on task 1')).toBeUndefined();
});

describe('near misses that markdown takes for no heading at all', () => {
  test.each([
    ['no blank behind the marks', 'Text.\n\n###Task 1: a\n', 3, 'no space after the `#`'],
    ['no blank, below a step', '### Task 2: b\n- [ ] s\n###Task 1: a\n', 2, 'no space after the `#`'],
    ['inside a list item', '### Task 2: b\n- [ ] s\n\n  ### Task 1: a\n', 4, 'it is inside a list item'],
    ['bold text', '### Task 2: b\n- [ ] s\n\n**Task 1: a**\n', 4, 'it is bold text, not a heading'],
  ])('%s', (_, text, line, reason) => {
    const notes = lintPlan(parsePlan(text, 'x.md')).filter(({ rule }) => rule === 'near-miss-heading');
    expect(notes.map(({ place, severity }) => [place.line, severity])).toEqual([[line, 'error']]);
    expect(notes[0]?.message).toContain(reason);
    expect(notes[0]?.message).toContain('`### Task 1: a`');
  });

  test.each([
    ['a quote', '### Task 2: b\n- [ ] s\n\n> ### task 1: a\n'],
    ['a fence', '### Task 2: b\n- [ ] s\n\n```\n### task 1: a\n```\n'],
    ['a comment', '### Task 2: b\n- [ ] s\n\n<!-- ### task 1: a -->\n'],
    ['a bold word in a sentence', '### Task 2: b\nAs in **Task 1**, do it.\n- [ ] s\n'],
    ['the plan’s title', '# Task 12: Fix login\n### Task 2: b\n- [ ] s\n'],
  ])('none in %s', (_, text) => {
    expect(parsePlan(text, 'x.md').notes).toEqual([]);
  });

  test('a title that looks like a task is one in a plan without tasks', () => {
    const notes = lintPlan(parsePlan('# Task 12: Fix login\n- [ ] s\n', 'x.md'));
    expect(notes.map(({ rule }) => rule)).toEqual(['near-miss-heading']);
  });
});
