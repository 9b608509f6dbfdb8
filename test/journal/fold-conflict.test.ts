// How far the conflicts of a merge are known, as facts about a task go by.
import { expect, test } from 'vitest';
import { eventVersion, type Fact } from '../../src/event.ts';
import { foldIntoTask, newTask } from '../../src/journal/fold-task.ts';
import { fact } from '../helpers/facts.ts';

const fold = (...facts: readonly Fact[]) =>
  facts.reduce((task, each) => foldIntoTask(task, { ...each, v: eventVersion, at: '' }), newTask('1', 'One'));

const merged = (...conflicts: string[]) => fact('lane-caught-up', { task: '1', conflicts });
const back = fact('landing-given-back', { task: '1', why: 'conflict' });
const fresh = fact('attempt-started', { task: '1' });
const corrected = fact('correction-sent', { task: '1', kind: 'conflict' });

test('sessions that were told are counted since the last merge that left any', () => {
  const times = [[merged('a')], [back, fresh], [back, corrected], [merged()], [merged('b')]].map(
    (_, at, all) => fold(...all.slice(0, at + 1).flat()).conflictTold,
  );
  expect(times).toEqual([0, 1, 2, 2, 0]);
});

test.each<readonly [string, readonly Fact[], readonly string[], string | undefined]>([
  ['none', [merged()], [], undefined],
  ['nobody was told', [merged('a')], ['a'], 'new'],
  ['an attempt that does not know of it tells nobody', [merged('a'), fresh], ['a'], 'new'],
  ['the next attempt will be told', [merged('a'), back], ['a'], 'given-back'],
  ['a fresh attempt was told', [merged('a'), back, fresh], ['a'], 'told'],
  ['a session was corrected', [merged('a'), back, corrected], ['a'], 'told'],
  ['a merge without one forgets none', [merged('a'), back, fresh, merged()], ['a'], 'told'],
  ['a further one is new', [merged('a'), back, fresh, merged('b')], ['a', 'b'], 'new'],
])('%s', (_, facts, conflicts, known) => {
  const task = fold(...facts);
  expect([task.conflicts, task.conflictIs]).toEqual([conflicts, known]);
});
