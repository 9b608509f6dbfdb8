import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/agent/session/session-plan.ts';
import { proseOf, summaryOf } from '../../../src/work/loop/attempt.ts';

const done = (reason: string): Outcome => ({ kind: 'done', reason });

test.each<[name: string, Outcome, said: readonly string[], summary: string]>([
  ['the sentence behind the marker', done('Months are parsed.'), ['I did much.'], 'Months are parsed.'],
  [
    'the sentence after a correction',
    done('Months are parsed.'),
    ['I did.', 'Mended.'],
    'Months are parsed.',
  ],
  ['no sentence: the first turn', done(''), ['Months are parsed.', 'Mended.'], 'Months are parsed.'],
  ['a first turn without words', done(''), ['', 'Mended.'], 'Mended.'],
  ['nothing had to be done', { kind: 'already-done', reason: 'It is there.' }, [], 'It is there.'],
  ['no marker', { kind: 'silent', reason: 'it finished without a marker' }, ['Parsed.'], 'Parsed.'],
  ['no marker, after a restart', { kind: 'silent', reason: 'it finished without a marker' }, [], ''],
  ['cut off', { kind: 'crashed', reason: 'it was ended by SIGKILL' }, ['Half.'], 'Half.'],
])('%s', (_name, outcome, said, summary) => {
  expect(summaryOf(outcome, said)).toBe(summary);
});

test('prose is without markers', () => {
  expect(proseOf('One.\n<<<PAWL:TASK_DONE 1234>>> two\n\nThree.\n<<<RALPHEX:ALL_TASKS_DONE>>>\n')).toBe(
    'One.\n\n\nThree.',
  );
});
