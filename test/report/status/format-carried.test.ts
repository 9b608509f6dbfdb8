import { expect, test } from 'vitest';
import { foldRun } from '../../../src/journal/fold.ts';
import { parseJournal } from '../../../src/journal/read-journal.ts';
import { formatCarried, headlineOf } from '../../../src/report/status/format-carried.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { byPerson, sampleFacts, setAside } from '../../helpers/facts.ts';

const at = '2026-01-01T00:00:00.000Z';
const { 'run-started': started, 'plan-read': plan, waiting, paused } = sampleFacts;
const parked = setAside('parked');
const pauseAsked = byPerson('pause');
const ended = { ...sampleFacts['run-ended'], exit: 130, finished: false, reasons: [] };
const finished = { ...ended, exit: 0, finished: true };

/** What `pawl status --remote` says of a run with these facts. */
function told(facts: readonly object[]): string {
  const lines = [started, plan, ...facts]
    .map((fact) => `${JSON.stringify({ v: 6, at, ...fact })}\n`)
    .join('');
  const state = foldRun(parseJournal(lines, 'journal'));
  if (!state) throw new Error('it is a run');
  const standing = { ...headlineOf(viewRun(state, { isHeld: true })), machine: 'box', at };
  return formatCarried(standing, { nowMs: Date.parse(at) + 3_000, take: 'pawl fleet take r' })
    .map(({ text }) => text)
    .join('\n');
}

test.each<[string, readonly object[], RegExp, RegExp]>([
  ['works', [], /here +pawl fleet take r$/m, /waits|next/],
  ['is paused', [pauseAsked, paused], /waits +paused$/m, /next/],
  ['is to pause', [pauseAsked], /waits +to pause after this session$/m, /paused/],
  ['waits for a limit', [waiting], /waits +5-hour limit reached, until /, /next/],
  ['waits for a person', [parked], /waits +task 2 asks: Which table holds the users\?$/m, /next/],
  ['was stopped and asks', [parked, ended], /waits +task 2 asks[\s\S]*next +pawl fleet take r$/m, /here/],
  ['is finished', [parked, finished], /state +finished/, /waits|next|here/],
])('a carried run that %s says so', (_, facts, says, saysNot) => {
  expect(told(facts)).toMatch(says);
  expect(told(facts)).not.toMatch(saysNot);
});
