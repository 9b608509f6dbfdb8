// The day's dollars of other runs: of sessions that went on that day, read again where a journal has grown.
import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact, Stamped } from '../../src/event.ts';
import { dayOf, isOfToday, spentToday } from '../../src/journal/day.ts';
import { fact } from '../helpers/facts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const now = new Date(2026, 10, 22, 12, 0);
const at = (hour: number, minute: number, of: Fact): Stamped<Fact> => ({
  ...of,
  v: 10,
  at: new Date(2026, 10, 22, hour, minute).toISOString(),
});
const cost = (hour: number, minute: number, costUsd: number) =>
  at(hour, minute, fact('session-cost', { session: 1, costUsd }));
const lines = (...facts: readonly Stamped<Fact>[]) => facts.map((one) => `${JSON.stringify(one)}\n`).join('');

test('the day is the reader’s own', () => {
  expect(dayOf(now)).toEqual({ day: '2026-11-22', sinceMs: new Date(2026, 10, 22).getTime() });
});

test('sessions of the day count, over all runs but one', () => {
  using folder = makeTempFolder();
  const put = (run: string, ...facts: readonly Stamped<Fact>[]) => {
    const file = path.join(folder.path, 'pawl', 'runs', run, 'journal.ndjson');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, lines(at(-2, 0, fact('run-started', { run })), ...facts));
    return file;
  };
  const session = at(-2, 0, fact('session-started', { session: 1 }));
  const over = at(9, 0, fact('session-ended', { session: 1, costUsd: 7, costAtLeast: false }));
  const before = at(-1, 0, fact('session-ended', { session: 1, costUsd: 50, costAtLeast: false }));
  const late = at(0, 0, fact('session-started', { session: 2 }));
  const end = at(8, 0, fact('session-ended', { session: 2, costUsd: 4, costAtLeast: false }));
  put('night', session, before, late, end);
  put('cut off', session, at(9, 0, fact('run-resumed')), over);
  put('over midnight', session, cost(-1, 0, 3), over);
  const growing = put('other', session, cost(10, 0, 1));
  put('own', session, cost(10, 0, 100));
  const old = put('old', session, cost(11, 0, 50));
  utimesSync(old, new Date(2026, 10, 21), new Date(2026, 10, 21));
  expect(spentToday(folder.path, 'own', now).elsewhere).toEqual({ costUsd: 4 + 7 + 1, atLeast: true });
  appendFileSync(
    growing,
    lines(cost(11, 0, 2), at(11, 1, fact('session-ended', { session: 1, costUsd: 2, costAtLeast: false }))),
  );
  expect(spentToday(folder.path, 'own', now)).toEqual({
    ...dayOf(now),
    elsewhere: { costUsd: 4 + 7 + 2, atLeast: false },
  });
  expect(isOfToday(path.dirname(old), now)).toBe(false);
  expect(isOfToday(path.dirname(growing), now)).toBe(true);
  // Another pawl may remove a run between the listing and the look.
  expect(isOfToday(path.join(folder.path, 'gone'), now)).toBe(false);
  appendFileSync(growing, 'no journal line\n');
  expect(spentToday(folder.path, 'own', now).elsewhere).toEqual({ costUsd: 4 + 7, atLeast: true });
});

test('of many runs none is read again that has not grown', () => {
  using folder = makeTempFolder();
  const files = Array.from({ length: 20 }, (_, number) => {
    const file = path.join(folder.path, 'pawl', 'runs', `run-${number}`, 'journal.ndjson');
    mkdirSync(path.dirname(file), { recursive: true });
    const session = at(9, 0, fact('session-started', { session: 1 }));
    writeFileSync(file, lines(at(9, 0, fact('run-started')), session, cost(10, 0, 1)));
    return file;
  });
  const before = spentToday(folder.path, 'own', now);
  expect(before.elsewhere.costUsd).toBe(20);
  for (const file of files) writeFileSync(file, 'x'.repeat(statSync(file).size));
  expect(spentToday(folder.path, 'own', now)).toEqual(before);
});

test('a run without a readable start has spent an unknown amount, one that was never started nothing', () => {
  using folder = makeTempFolder();
  const spent = () => spentToday(folder.path, 'own', now).elsewhere;
  const put = (run: string, text: string) => {
    const of = path.join(folder.path, 'pawl', 'runs', run);
    mkdirSync(of, { recursive: true });
    if (text !== '') writeFileSync(path.join(of, 'journal.ndjson'), text);
  };
  expect(spent()).toEqual({ costUsd: 0, atLeast: false });
  put('made', '');
  put('torn', '{"v":10,"at":');
  expect(spent()).toEqual({ costUsd: 0, atLeast: false });
  put('broken', `no journal line\n${lines(at(9, 0, fact('session-ended', { session: 1, costUsd: 7 })))}`);
  expect(spent()).toEqual({ costUsd: 0, atLeast: true });
});
