// How many lives in a row were cut off while a task was worked on, as facts go by.
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../src/event.ts';
import { byPerson, fact, stateOf } from '../helpers/facts.ts';

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
  ['a person gives it new attempts', [begins('1'), killed, byPerson('retry', { task: '1' })], {}],
  ['a person starts the stopped run again', [begins('1'), killed, begins('1'), stopped], {}],
])('%s', (_, facts, wanted) => {
  expect(Object.fromEntries(stateOf(...facts).cutOffs.times)).toEqual(wanted);
});

const drained = fact('run-resumed', { after: 'drain' });
const ended = fact('run-ended', { exit: 143, finished: false });

test.each<readonly [string, readonly Fact[], number]>([
  ['each in a row', [killed, killed], 2],
  ['not those within a task', [begins('1'), killed, killed], 1],
  [
    'what was before the setup on another machine',
    [killed, fact('phase', { state: 'ended', phase: 'setup' }), killed],
    2,
  ],
  ['none before a task was closed', [killed, killed, fact('task-closed', { task: '1' }), killed], 1],
  ['none before a round of the review had ended', [killed, fact('review-round-ended'), killed], 1],
  ['none before a reviewer had answered', [killed, fact('opinion-given'), killed], 1],
  ['no worker that ended', [killed, ended, drained, ended, drained], 1],
  ['none while it waited', [fact('waiting', {}), killed, fact('waiting', {}), killed], 0],
  ['none before a person started it again', [killed, killed, ended, stopped], 0],
])('lives that were cut off beside all tasks: %s', (_, facts, wanted) => {
  expect(stateOf(...facts).cutOffs.beside).toBe(wanted);
});
