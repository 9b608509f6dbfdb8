import { expect, test } from 'vitest';
import { formatEvent } from '../../../src/report/events/format-event.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { fact } from '../../helpers/facts.ts';

test('why a planner is asked, the difference, and what came of it', () => {
  const facts = [
    fact('replan-started'),
    fact('replan-started', { why: 'request' }),
    fact('replan-started', { why: 'after-task', reason: 'the task is closed' }),
    fact('replan-taking'),
    fact('replan-ended'),
    fact('replan-ended', { oid: undefined, rescue: undefined }),
    fact('replan-ended', { result: 'refused', reason: 'task 3 (x) is dropped', rescue: undefined }),
    fact('replan-ended', {
      result: 'unchanged',
      reason: 'the planner leaves the plan as it is',
      rescue: undefined,
    }),
    fact('replan-ended', { result: 'failed', reason: 'it crashed', rescue: undefined }),
  ];
  const lines = facts
    .flatMap((fact) => formatEvent(fact, { verbose: false }))
    .map((line) => `${line.tone}: ${renderLine(line)}`);
  expect(`\n${lines.join('\n')}`).toMatchInlineSnapshot(`
    "
    head: Re-plan 1, at task 2: red: npm test
    head: Re-plan 1, at task 2: red: npm test
    head: Re-plan 1, at task 2: the task is closed
    dim:   …
    dim:    ### Task 2: Add login
    bad:   -- [ ] POST
    good:   +- [ ] GET
    good: Re-plan 1: the plan was changed: tasks added 2a, changed 2
    dim:   its work is kept: pawl rescue show 1a2b3c4d5e
    good: Re-plan 1: the plan was changed: tasks added 2a, changed 2
    warn: Re-plan 1: refused, because it would weaken the plan: task 3 (x) is dropped
    plain: Re-plan 1: the planner leaves the plan as it is
    warn: Re-plan 1: no other plan: it crashed"
  `);
});
