import { expect, test } from 'vitest';
import type { Place } from '../../../src/place/place.ts';
import { parsePlan } from '../../../src/plan/parse.ts';
import { fixTask } from '../../../src/work/kind/fix.ts';
import { stateOf } from '../../../src/work/work.ts';
import { fact, stateOf as fold } from '../../helpers/facts.ts';

test('a check that was red before a fix stays excused, whatever number the plan gives it, and no other one', () => {
  const before = { task: 'fix-first-1', when: 'before' } as const;
  const state = fold(
    fact('run-started'),
    fact('work-planned', { task: 'fix-first-1', fix: { stage: 'first', round: 1, findings: [] } }),
    fact('check-ended', { ...before, check: 'task:1:1', command: '[TOKEN]', result: 'red' }),
    fact('check-ended', { ...before, check: 'task:1:2', command: 'good', result: 'green' }),
    fact('task-started', { task: 'fix-first-1', red: ['task:1:1'] }),
  );
  const mask = (text: string) => text.replace('old', '[TOKEN]');
  const place = { run: { state: () => state, mask, config: { checks: [] } } } as unknown as Place;
  const plan = parsePlan(
    '### Task 1: T\n- check: `new`\n- check: `old`\n- check: `good`\n- [x] Do it\n',
    'p.md',
  );
  const { checks } = fixTask(place, plan, stateOf(place, { id: 'fix-first-1' }));
  expect(checks.map(({ command, knownRed }) => [command, knownRed])).toEqual([
    ['new', false],
    ['old', true],
    ['good', false],
  ]);
});
