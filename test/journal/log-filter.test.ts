import { expect, test } from 'vitest';
import { parseDuration } from '../../src/duration.ts';
import { filterEvents, parseSince } from '../../src/journal/log-filter.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const now = new Date(2026, 0, 2, 3, 0);
const at = (day: number, hour: number, minute: number) => new Date(2026, 0, day, hour, minute).getTime();

test.each<[string, number | undefined]>([
  ['30m', at(2, 2, 30)],
  ['1d', at(1, 3, 0)],
  ['02:30', at(2, 2, 30)],
  ['03:00', at(2, 3, 0)],
  ['03:01', at(1, 3, 1)],
  ['2026-01-01T12:00', at(1, 12, 0)],
  ['25:00', undefined],
  ['02:60', undefined],
  ['yesterday', undefined],
  ['', undefined],
])('%j is a moment', (text, moment) => {
  expect(parseSince(text, now, parseDuration)).toBe(moment);
});

test('of one task: its facts, and those of its sessions', () => {
  const isWanted = filterEvents({ task: '2' });
  const events = stampAll([
    fact('run-started'),
    fact('session-started', { session: 1, task: '1' }),
    fact('session-started', { session: 2, task: '2' }),
    fact('session-cost', { session: 1 }),
    fact('session-cost', { session: 2 }),
    fact('task-closed', { task: '1' }),
    fact('task-closed', { task: '2' }),
  ]);
  expect(events.map(isWanted)).toEqual([false, false, true, false, true, false, true]);
});
