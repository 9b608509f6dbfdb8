// How many lives in a row were cut off, as facts go by.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { byPerson, fact, stateOf } from '../helpers/facts.ts';

const begins = fact('attempt-started');
const ended = fact('round-ended', { outcome: 'done' });
const killed = fact('run-resumed', { after: 'crash' });
const stopped = fact('run-resumed', { after: 'stop' });
const drained = fact('run-resumed', { after: 'drain' });
const over = fact('run-ended', { exit: 143, finished: false });

test.each<readonly [string, readonly Fact[], number]>([
  ['each in a row', [killed, begins, killed], 2],
  ['a session that the kill cut off is no end', [killed, { ...ended, outcome: 'crashed' }, killed], 2],
  ['a session that was corrected goes on', [killed, { ...ended, verdict: 'correct' }, killed], 2],
  ['a setup is no end', [killed, fact('phase', { state: 'ended', phase: 'setup' }), killed], 2],
  ['none before a round had ended', [killed, begins, ended, killed], 1],
  ['none before a task was closed', [killed, killed, fact('task-closed'), killed], 1],
  ['none before a round of the review had ended', [killed, fact('review-round-ended'), killed], 1],
  ['none before a reviewer had answered', [killed, fact('opinion-given'), killed], 1],
  ['none before other work had ended', [killed, fact('work-ended'), killed], 1],
  ['none before a person gave new attempts', [killed, byPerson('retry'), killed], 1],
  ['no worker that ended', [killed, over, drained, over, drained], 1],
  ['none while it waited', [fact('waiting'), killed, fact('waiting'), killed], 0],
  ['none before a person started it again', [killed, killed, over, stopped], 0],
])('%s', (_, facts, wanted) => {
  expect(stateOf(...facts).cutOffs.get('') ?? 0).toBe(wanted);
});

test('a task whose session each life was cut off in, while others progress', () => {
  const session = fact('session-started', { session: 1, task: '1' });
  const other = fact('round-ended', { outcome: 'done', task: '2' });
  const crashed = fact('session-ended', { session: 1, outcome: 'crashed' });
  const lives = [session, killed, crashed, other, session, killed, crashed, other];
  expect(stateOf(...lives).cutOffs).toEqual(new Map([['1', 2]]));
  expect(stateOf(...lives, { ...ended, task: '1' }).cutOffs).toEqual(new Map());
});
