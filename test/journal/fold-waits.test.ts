// Waits in the fold: what is owed after a process that ended in one, and how many in a row came to nothing.
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { fact, stateOf } from '../helpers/facts.ts';

const fold = (...facts: readonly Fact[]) => stateOf(fact('task-started', { task: '2', tree: 't' }), ...facts);

const limit = fact('waiting', { why: 'limit', until: 5 });
const outage = fact('waiting', { why: 'overload', until: 5 });
const [over, cut] = [fact('waited', { how: 'time' }), fact('waited', { how: 'interrupted' })];
const resumed = (after: 'stop' | 'crash') => fact('run-resumed', { after, dirt: [] });
const started = fact('session-started');
const round = (tree: string, verdict: 'wait' | 'correct' | 'again' = 'wait') =>
  fact('round-ended', { task: '2', tree, verdict });

test.each<[string, readonly Fact[], boolean]>([
  ['while it waits', [limit], true],
  ['after its time', [limit, over], false],
  ['after an interruption', [limit, cut], true],
  ['at the next start of a person', [limit, cut, resumed('stop')], true],
  ['after a kill', [limit, resumed('crash')], true],
  ['after a kill in the second wait', [limit, resumed('crash'), limit, resumed('crash')], true],
  ['once a session began', [limit, cut, resumed('stop'), started], false],
  ['once a person went on', [limit, { type: 'intervention', kind: 'continue', text: 'continued' }], false],
  ['an outage, after a kill', [outage, resumed('crash')], true],
  ['an outage, at the next start of a person', [outage, cut, resumed('stop')], false],
])('a wait is owed: %s', (_, facts, isOwed) => {
  expect(fold(...facts).owedWait !== undefined).toBe(isOwed);
});

test.each<[string, readonly Fact[], number, number]>([
  ['one of each', [round('t'), limit, over, round('t'), outage, over], 1, 1],
  ['two in a row', [round('t'), limit, over, round('t'), { ...limit, until: 6 }, over], 2, 0],
  ['the same one, gone on with after a kill', [round('t'), outage, resumed('crash'), outage, over], 0, 1],
  ['another tree between', [round('t'), limit, over, round('u'), { ...limit, until: 6 }], 1, 0],
  ['another tree between outages', [round('t'), outage, over, round('u'), { ...outage, until: 6 }], 0, 1],
  ['a verdict between', [round('t'), outage, limit, over, round('t', 'again')], 0, 0],
  ['a close between', [round('t'), outage, limit, over, fact('task-closed')], 0, 0],
  ['a person’s start between', [round('t'), limit, outage, cut, resumed('stop')], 1, 0],
  ['a correction is none', [round('t'), outage, over, round('u', 'correct')], 0, 1],
  ['a session that cost between', [round('t'), limit, outage, over, fact('session-cost')], 0, 1],
])('waits in a row: %s', (_, facts, limits, outages) => {
  const { limit: one, overload: other } = fold(...facts).waitRows;
  expect([one?.count ?? 0, other?.count ?? 0]).toEqual([limits, outages]);
});
