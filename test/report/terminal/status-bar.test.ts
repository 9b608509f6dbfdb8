// The line a person types into: what goes when there is no room.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { promptLine } from '../../../src/report/terminal/status-bar.ts';
import { widthOf } from '../../../src/width.ts';

const prompt = { label: 'Note', text: 'use the blue one', hint: '(Enter sends)' };

test.each([
  [80, 'Note › use the blue one▏  (Enter sends)'],
  [30, 'Note › use the blue one▏'],
  [20, 'Note › …he blue one▏'],
  [12, 'Note › …one▏'],
  [5, 'Note…'],
])('in %i columns', (columns, line) => {
  expect(promptLine(prompt, columns)).toBe(line);
});

test('it is never wider, and control characters do not reach the terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 60 }), (text, columns) => {
      const line = promptLine({ ...prompt, text }, columns);
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }),
  );
});
