// What a fixer says against what it changed: one row per branch.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/agent/outcome.ts';
import { judgeAnswers, outcomeWith, rejectsAll, type Said } from '../../src/phase/fix-answers.ts';

const fixed: Said = { answers: [{ finding: 'F1', answer: 'fixed', reason: '' }] };
const rejected: Said = { answers: [{ finding: 'F1', answer: 'rejected', reason: 'by design' }] };
const both: Said = {
  answers: [
    { finding: 'F1', answer: 'fixed', reason: '' },
    { finding: 'F2', answer: 'rejected', reason: 'by design' },
  ],
};
const half: Said = { problem: 'nothing is said about F2' };

test.each<[string, Said, boolean, RegExp | undefined]>([
  ['fixed, and files changed', fixed, true, undefined],
  ['fixed, and nothing changed', fixed, false, /F1 said to be fixed, but no file was changed/],
  ['rejected, and nothing changed', rejected, false, undefined],
  ['rejected, and files changed', rejected, true, /every finding is rejected, yet files were changed/],
  ['one of two fixed', both, true, undefined],
  ['one of two fixed, nothing changed', both, false, /F1 said/],
  ['half an answer', half, true, /could not be read whole: nothing is said about F2/],
])('%s', (_, said, changed, wanted) => {
  const [red, ...more] = judgeAnswers(said, changed);
  expect(more).toEqual([]);
  if (wanted) expect(red).toMatch(wanted);
  else expect(red).toBeUndefined();
});

test.each<[Said | undefined, boolean]>([
  [rejected, true],
  [both, false],
  [half, false],
  [undefined, false],
])('%j rejects all: %s', (said, all) => expect(rejectsAll(said)).toBe(all));

/** With every answer given a turn needs no marker; nothing else of how it ended changes. */
test.each<[Said | undefined, Outcome['kind'], Outcome['kind']]>([
  [fixed, 'silent', 'done'],
  [rejected, 'already-done', 'done'],
  [half, 'silent', 'silent'],
  [undefined, 'silent', 'silent'],
  [fixed, 'crashed', 'crashed'],
  [fixed, 'failed', 'failed'],
])('%j and %s: %s', (said, kind, wanted) => {
  expect(outcomeWith(said, { kind, reason: '' } as Outcome).kind).toBe(wanted);
});
