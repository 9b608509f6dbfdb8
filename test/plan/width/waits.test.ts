import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/plan/parse.ts';
import { waitsOf } from '../../../src/plan/width/waits.ts';

const waits = (text: string) => Object.fromEntries(waitsOf(parsePlan(text, 'tasks.md')));
const phases = (...titles: readonly string[]) =>
  titles.map((title, at) => `## Phase ${at + 1}: ${title}\n\n- [ ] T00${at} do it\n`).join('\n');

test.each<[string, string, Record<string, readonly string[]>]>([
  ['a chain', '### Task 1: a\n- [ ] s\n### Task 2: b\n- [ ] s', { 1: [], 2: ['1'] }],
  [
    'marks in a plan of pawl’s own mean nothing',
    '### Task 1: [P] a\n- [ ] s\n### Task 2: User Story 1\n- [ ] s\n### Task 3: [P] User Story 2\n- [ ] s',
    { 1: [], 2: ['1'], 3: ['2'] },
  ],
  [
    'stories wait for what stands before them all, and the rest for all of them',
    phases('Setup', 'Foundation', 'User Story 1 - a', 'User Story 2 - b', 'User Story 3 - c', 'Polish'),
    { 1: [], 2: ['1'], 3: ['2'], 4: ['2'], 5: ['2'], 6: ['3', '4', '5'] },
  ],
  [
    'two phases of one story keep their order',
    phases('User Story 1 - tests', 'User Story 1 - code', 'User Story 2 - b', 'Polish'),
    { 1: [], 2: ['1'], 3: [], 4: ['2', '3'] },
  ],
  [
    'a phase is told by the story of all its steps',
    '## 1. Setup\n- [ ] T1 s\n## 2. Links\n- [ ] T2 [P] [US1] s\n- [ ] T3 [US1] s\n## 3. Users\n- [ ] T4 [US2] s\n## 4. Both\n- [ ] T5 [US1] s\n- [ ] T6 [US2] s\n',
    { 1: [], 2: ['1'], 3: ['1'], 4: ['2', '3'] },
  ],
  [
    'a foundation is none, whatever its steps are marked with',
    '## Phase 1: Foundational\n- [ ] T1 [US2] s\n## Phase 2: User Story 1 - a\n- [ ] T2 [US1] s\n## Phase 3: User Story 2 - b\n- [ ] T3 [US2] s\n',
    { 1: [], 2: ['1'], 3: ['1'] },
  ],
  [
    '… nor where no heading tells stories',
    '## 1. Foundation\n- [ ] T1 [US2] s\n## 2. Links\n- [ ] T2 [US1] s\n## 3. Users\n- [ ] T3 [US2] s\n## 4. Both\n- [ ] T4 [US1][US2] s\n',
    { 1: [], 2: ['1'], 3: ['1'], 4: ['2', '3'] },
  ],
  [
    'a phase of several stories waits, and is waited for',
    phases('User Story 1 - a', 'User Story 2 + 3 - b', 'User Stories 4 and 5', 'User Story 6 - 2 factors'),
    { 1: [], 2: ['1'], 3: ['2'], 4: ['3'] },
  ],
  [
    'items with [P] are free among their neighbours',
    '- [ ] T001 a\n- [ ] T002 [P] b\n- [ ] T003 [P] c\n- [ ] T004 d\n- [ ] T005 [P] e\n',
    { T001: [], T002: ['T001'], T003: ['T001'], T004: ['T002', 'T003'], T005: ['T004'] },
  ],
  ['a flat list without marks is a chain', '- [ ] a\n- [ ] b\n', { 1: [], 2: ['1'] }],
  [
    '`depends:` takes the place of a task’s marks, and of no other’s',
    '- [ ] T1 [P] a\n- [ ] T2 [P] b\n  - depends: T1\n- [ ] T3 [P] c\n',
    { T1: [], T2: ['T1'], T3: [] },
  ],
  [
    '… nor lifts the order of the rest',
    `${phases('Setup', 'Foundation', 'User Story 1 - a', 'User Story 2 - b')}- depends: 3\n`,
    { 1: [], 2: ['1'], 3: ['2'], 4: ['3'] },
  ],
])('%s', (_, text, expected) => {
  expect(waits(text)).toEqual(expected);
});

test('spec-kit’s own shape', () => {
  const file = 'specs/001-short-links/tasks.md';
  const root = new URL('../../fixtures/plans/spec-kit/', import.meta.url);
  expect(waits(readFileSync(new URL(file, root), 'utf8'))).toEqual({ 1: [], 2: ['1'], 3: ['2'], N: ['3'] });
});
