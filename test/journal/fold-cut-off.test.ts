// How many lives in a row were cut off while a task was worked on, as facts go by.
import { expect, test } from 'vitest';
import { eventVersion, type Fact, type FactOf } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { fact, sampleFacts } from '../helpers/facts.ts';

const begins = (task: string) => fact('attempt-started', { task });
const checks = (task: string) => fact('check-started', { task });
const ends = (task: string, more: Partial<FactOf<'round-ended'>> = {}) => ({ ...ending, task, ...more });
const ending: FactOf<'round-ended'> = { ...fact('round-ended', { verdict: 'again' }), outcome: 'done' };
const crashed = { outcome: 'crashed' } as const;
const killed = fact('run-resumed', { after: 'crash' });
const stopped = fact('run-resumed', { after: 'stop' });

test.each<readonly [string, readonly Fact[], Readonly<Record<string, number>>]>([
  ['nothing was worked on', [killed], {}],
  ['all that were worked on', [begins('1'), begins('2'), killed], { 1: 1, 2: 1 }],
  ['what had come to an end was not', [begins('1'), ends('1'), begins('2'), killed], { 2: 1 }],
  [
    'a session that the kill cut off is no end',
    [begins('1'), killed, ends('1', crashed), begins('1'), killed],
    { 1: 2 },
  ],
  ['what is judged again may be it', [begins('1'), killed, checks('1'), killed], { 1: 2 }],
  [
    'a session that was corrected goes on',
    [begins('1'), ends('1', { verdict: 'correct' }), killed],
    { 1: 1 },
  ],
  ['one that ended by itself begins anew', [begins('1'), killed, begins('1'), ends('1'), killed], {}],
  ['a closed one is over', [begins('1'), killed, fact('task-closed', { task: '1' }), killed], {}],
  ['a person gives it new attempts', [begins('1'), killed, fact('retry-asked', { task: '1' })], {}],
  ['a person starts the stopped run again', [begins('1'), killed, begins('1'), stopped], {}],
])('%s', (_, facts, wanted) => {
  const state = foldRun(
    [sampleFacts['run-started'], ...facts].map((each) => ({
      ...each,
      v: eventVersion,
      at: '2026-11-21T22:30:05.000Z',
    })),
  );
  expect(Object.fromEntries(state?.cutOffs.times ?? [])).toEqual(wanted);
});
