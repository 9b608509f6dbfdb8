// Which events of a run `pawl logs --task` shows.
import { expect, test } from 'vitest';
import { filterEvents } from '../../src/cli/logs.ts';
import { fact, stampAll } from '../helpers/facts.ts';

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
