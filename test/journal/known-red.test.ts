// What a person excuses at the start is known to be red for whoever reads the run.
import { expect, test } from 'vitest';
import type { FactOf } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { fact, stampAll } from '../helpers/facts.ts';

test('checks that were red before the work and are excused, and no others', () => {
  const red = (check: string, command: string) =>
    fact('check-ended', {
      check,
      command,
      when: 'baseline',
      result: 'red',
      exitCode: 1,
      knownRed: undefined,
    });
  const ended: Partial<FactOf<'phase'>> = {
    phase: 'baseline',
    state: 'ended',
    reason: 'already red',
    knownRed: ['b'],
  };
  const facts = [fact('run-started'), red('plan:1', 'a'), red('plan:2', 'b'), fact('phase', ended)];
  const state = foldRun(stampAll(facts));
  expect(state?.baseline.map(({ knownRed = false }) => knownRed)).toEqual([false, true]);
  expect(state?.knownRed).toEqual(['b']);
});
