// What is told again of a run that is taken up: its tasks are closed or open as the run has left them.
import { expect, it } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { groundOfResume } from '../../src/report/terminal/resume-summary.ts';
import { byPerson, fact, setAside, stampAll } from '../helpers/facts.ts';

const started = fact('run-started');

function recall(...facts: readonly Fact[]) {
  const state = foldRun(stampAll([started, ...facts]));
  if (!state) throw new Error('the facts begin with a start');
  return groundOfResume(state, started);
}

it('has no plan to tell before one was read', () => {
  expect(recall().map(({ type }) => type)).toEqual(['run-started']);
});

it('tells nothing of an earlier ground that this one does not have', () => {
  const { agent, agentCommand, billing, trusted } = started;
  const bare = { agent, agentCommand, billing, trusted };
  const past = { jobs: 2, readOnly: true, sandbox: 'process' as const, flags: ['--jobs', '2'] };
  const state = foldRun(stampAll([fact('run-started', past)]));
  const [told] = state ? groundOfResume(state, bare) : [];
  expect(told).not.toHaveProperty('jobs');
  expect(told).not.toHaveProperty('readOnly');
  expect(told).not.toHaveProperty('sandbox');
  expect(told).not.toHaveProperty('flags');
});

it('tells the caps as last set before the plan', () => {
  const cap = { budget: 'cost', cap: 20, from: '--max-cost' } as const;
  const facts = recall(fact('budgets-set'), fact('budgets-set', { asked: [cap] }), fact('plan-read'));
  expect(facts.map(({ type }) => type)).toEqual(['run-started', 'budgets-set', 'plan-read']);
  expect(facts[1]).toMatchObject({ asked: [cap] });
});

it('says when it was so', () => {
  const plan = recall(fact('plan-read'), fact('run-ended')).at(1);
  expect(plan).toMatchObject({ type: 'plan-read', v: 4, at: '2026-11-21T22:30:02.000Z' });
});

const begun = fact('task-started', { task: '1' });
const closed = fact('task-closed', { task: '1' });

it.each<[string, boolean, readonly Fact[], boolean]>([
  ['untouched', false, [], false],
  ['ticked before the run', true, [], true],
  ['begun', false, [begun], false],
  ['closed', false, [begun, closed], true],
  ['closed by hand', false, [byPerson('tick', { task: '1' })], true],
  ['reopened', false, [begun, closed, fact('task-reopened', { task: '1' })], false],
  ['failed', false, [begun, setAside('failed', { task: '1' })], false],
  ['parked', false, [begun, setAside('parked', { task: '1' })], false],
])('a task that is %s', (_name, ticked, facts, isClosed) => {
  const tasks = [{ id: '1', title: 'A', closed: ticked, steps: 1, manual: [] }];
  const plan = recall(fact('plan-read', { tasks }), ...facts).at(1);
  expect(plan).toMatchObject({ tasks: [{ ...tasks[0], closed: isClosed }] });
});

it('tells what this start works with, and nothing that only an earlier one did', () => {
  const state = foldRun(stampAll([fact('run-started', { sandbox: 'docker', model: 'opus' })]));
  const now = { agent: 'codex', agentCommand: 'codex', billing: 'x', trusted: false };
  const [told] = state ? groundOfResume(state, now) : [];
  expect(told).toMatchObject({ ...now, plan: started.plan });
  for (const name of ['sandbox', 'model', 'permissions']) expect(told).not.toHaveProperty(name);
});
