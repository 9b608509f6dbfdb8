// Which lessons a prompt carries, and in which order.
import { expect, test } from 'vitest';
import type { Lesson } from '../../../src/journal/state.ts';
import { lessonsFor } from '../../../src/work/session/start-session.ts';

const lesson = (says: string, check?: string, files: readonly string[] = []): Lesson =>
  check === undefined ? { task: '1', says, files } : { task: '1', says, files, check };

test('those about the same checks and files come first, then the newest; forty at most', () => {
  const all = [
    lesson('both', 'npm test', ['src/a.ts']),
    lesson('file', 'make', ['src/b.ts']),
    lesson('check', 'npm test', ['c.ts']),
    ...Array.from({ length: 60 }, (_, at) => lesson(`other ${at}`)),
  ];
  const carried = lessonsFor(all, { checks: ['npm test'], files: ['src/*.ts'] });
  expect(carried.slice(0, 4)).toEqual(['both', 'check', 'file', 'other 59']);
  expect(carried).toHaveLength(40);
});
