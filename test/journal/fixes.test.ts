// What a review has mended is a work like a task, beside the tasks of the plan and never one of them.
import { expect, test } from 'vitest';
import { findWorkState, foldRun } from '../../src/journal/state.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const task = 'fix-first-1';
const state = foldRun(
  stampAll([
    fact('run-started'),
    fact('plan-read'),
    fact('fix-planned', { task }),
    fact('task-started', { task }),
    fact('attempt-started', { task, attempt: 1 }),
    fact('act-found', { task }),
    fact('round-ended', { task, counts: true, verdict: 'again' }),
    fact('plan-read'),
  ]),
);

test('it is begun, counted and kept when the plan is read again', () => {
  const fix = state?.fixes.get(task);
  expect(fix?.start?.task).toBe(task);
  expect(fix?.attempts).toBe(1);
  expect(fix?.fix?.findings).toEqual(['F1']);
  expect(state && findWorkState(state, task)).toBe(fix);
});

test('it is no task, and what was done in it is told of the run', () => {
  expect(state?.tasks.has(task)).toBe(false);
  expect(state?.acts).toHaveLength(1);
});

test('who starts a stopped run again grants it new attempts', () => {
  const resumed = foldRun(
    stampAll([
      fact('run-started'),
      fact('fix-planned', { task }),
      fact('round-ended', { task, counts: true, verdict: 'again' }),
      fact('run-resumed', { after: 'stop' }),
    ]),
  );
  expect(resumed?.fixes.get(task)?.attempts).toBe(0);
});
