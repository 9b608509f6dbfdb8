// What a review has mended is a work like a task, beside the tasks of the plan and never one of them.
import { expect, test } from 'vitest';
import { findWorkState } from '../../src/journal/state.ts';
import { fact, finalizing, sampleFacts, stateOf } from '../helpers/facts.ts';

const task = 'fix-first-1';
const begun = [fact('work-planned', { task }), fact('task-started', { task })];
const again = fact('round-ended', { task, counts: true, verdict: 'again' });
const state = stateOf(
  ...begun,
  fact('attempt-started', { task, attempt: 1 }),
  fact('act-found', { task }),
  again,
  fact('plan-read'),
);

test('it is begun, counted and kept when the plan is read again', () => {
  const fix = state.fixes.get(task);
  expect(fix?.start?.task).toBe(task);
  expect(fix?.counted).toHaveLength(1);
  expect(fix?.fix?.findings).toEqual(['F1']);
  expect(findWorkState(state, task)).toBe(fix);
});

test('it is no task, and what was done in it is told of the run', () => {
  expect(state.tasks.has(task)).toBe(false);
  expect(state.violations).toHaveLength(1);
});

test('who starts a stopped run again grants it new attempts', () => {
  const resumed = stateOf(...begun, again, fact('run-resumed', { after: 'stop' }));
  expect(resumed.fixes.get(task)?.counted).toEqual([]);
});

test('a task that is begun after the review has everything reviewed and finalized anew', () => {
  const [finding] = sampleFacts['opinion-given'].findings;
  if (!finding) throw new Error('no finding');
  const raise = (id: string) => ({ ...finding, id });
  const say = (id: string, answer: 'fixed' | 'rejected') => ({ finding: id, answer, reason: 'so' });
  const reviewed = [
    fact('stage-started'),
    fact('review-round-started'),
    fact('opinion-given', { findings: ['F1', 'F2', 'F3', 'F4'].map(raise) }),
    fact('work-planned', { task }),
    fact('findings-answered', {
      answers: [say('F1', 'fixed'), say('F2', 'rejected'), say('F3', 'rejected')],
    }),
    fact('work-ended'),
    fact('opinion-given', { findings: [raise('F3')] }),
    fact('phase', { state: 'ended', phase: 'tasks' }),
    fact('phase', { state: 'ended', phase: 'review' }),
    finalizing,
    fact('phase', { state: 'ended', phase: 'finalize' }),
  ];
  const same = stateOf(...reviewed, fact('task-started', { task }));
  expect(same.phasesEnded).toEqual(['tasks', 'review', 'finalize']);
  const anew = stateOf(...reviewed, fact('task-started', { task: '2' }));
  expect(anew).toMatchObject({ phasesEnded: ['tasks'], fixes: new Map() });
  expect(anew.review.stages.size).toBe(0);
  const standings = [...anew.review.findings.values()].map(({ id, standing }) => `${id} ${standing}`);
  expect(standings).toEqual(['F2 rejected', 'F3 rejected']);
  // Without a review, too.
  expect(stateOf(finalizing, fact('task-started', { task: '2' })).fixes).toEqual(new Map());
});
