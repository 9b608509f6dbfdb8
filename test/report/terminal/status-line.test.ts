import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { formatStatusLine } from '../../../src/report/status/one-line.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { fact, setAside, stampAll } from '../../helpers/facts.ts';

const nowMs = Date.UTC(2026, 10, 21, 22, 40);
const begin = [fact('run-started'), fact('plan-read'), fact('task-started', { task: '2' })];
const until = new Date(2026, 10, 22, 2, 30).getTime();

/** The line of a run with these facts behind its begin. */
function tell(facts: readonly Fact[], isHeld = true, costUsd?: number, now = nowMs): string {
  const cost =
    costUsd === undefined ? [] : [fact('session-started'), fact('session-cost', { session: 3, costUsd })];
  const state = foldRun(stampAll([...begin, ...cost, ...facts]));
  return state ? formatStatusLine(viewRun(state, { isHeld }), now) : 'no run';
}

test.each<[string, readonly Fact[], boolean?, number?, number?]>([
  ['pawl auth 1/2, task 2', []],
  ['pawl auth 1/2, task 2, $1.20', [], true, 1.2],
  ['pawl auth 1/2, died, can be resumed', [], false],
  ['pawl auth 1/2, waiting until 02:30, 3h 50m left', [fact('waiting', { until })]],
  [
    'pawl auth 2/2, done',
    [fact('task-closed', { task: '2' }), fact('run-ended', { exit: 0, finished: true, reasons: [] })],
    false,
  ],
  ['', [fact('run-ended', { exit: 0, finished: true, reasons: [] })], false, 3, nowMs + 7_200_000],
  ['pawl auth 1/2, stopped (exit 6)', [fact('run-ended', { exit: 6, finished: false, reasons: [] })], false],
  [
    'pawl auth 1/2, task 2 asks you',
    [setAside('parked', { task: '2' }), fact('run-ended', { exit: 3, finished: false, reasons: [] })],
    false,
  ],
  [
    'pawl auth 1/2, task 2 (attempt 2)',
    [fact('attempt-started', { task: '2', attempt: 1 }), fact('attempt-started', { task: '2', attempt: 2 })],
  ],
])('%j', (line, facts, isHeld, costUsd, now) => {
  expect(tell(facts, isHeld, costUsd, now)).toBe(line);
});

test('tasks that are worked on at once are all named', () => {
  const tasks = ['1', '2', '3'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
  const begun = ['1', '3'].map((task) => ({ ...fact('task-started', { task }), lane: Number(task) }));
  const state = foldRun(stampAll([fact('run-started'), fact('plan-read', { tasks }), ...begun]));
  expect(state && formatStatusLine(viewRun(state, { isHeld: true }), nowMs)).toBe(
    'pawl auth 0/3, tasks 1, 3',
  );
});
