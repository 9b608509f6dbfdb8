import { expect, test } from 'vitest';
import type { CarriedRun } from '../../../src/phase/carry/owner.ts';
import { type BranchThere, judgeStart } from '../../../src/start/fleet/find-start.ts';

const run = { run: 'r', plan: 'p.md', host: 'laptop' } as CarriedRun;
const job = { plan: 'p.md', base: 'main', branch: 'p' };
const done = { kind: 'done' as const, exit: 0, says: '' };

test.each<[string, Partial<BranchThere>, string]>([
  ['nothing was ever begun', {}, 'begin'],
  ['its run is on the remote', { own: { run, result: undefined } }, 'take'],
  ['its run is over', { own: { run, result: done } }, 'done'],
  ['commits of others are on its branch', { isAhead: true }, 'parted'],
  ['an open run of its plan stands still', { open: { run, isAtWork: false }, isAhead: true }, 'take'],
  ['a person works on its plan', { open: { run, isAtWork: true } }, 'elsewhere'],
  ['another job works on its plan', { open: { run: { ...run, job: 'j2' }, isAtWork: true } }, 'wait'],
  [
    'a run of its plan from another base is open',
    { open: { run: { ...run, base: 'release' }, isAtWork: false } },
    'parted',
  ],
  ['a run of another plan is open', { open: { run: { ...run, plan: 'x/p.md' }, isAtWork: false } }, 'parted'],
  ['its plan is done and merged', { finished: run }, 'begin'],
  ['its plan is done, and not merged', { finished: run, isAhead: true }, 'elsewhere'],
  ['another plan is done there', { finished: { ...run, plan: 'x/p.md' }, isAhead: true }, 'parted'],
])('a start of a job where %s', (_, there, wanted) => {
  const start = judgeStart(job, { isAhead: false, ...there });
  expect(start.kind === 'over' ? start.result.kind : start.kind).toBe(wanted);
});

test('a plan that is done is not told to delete its work', () => {
  const start = judgeStart(job, { finished: run, isAhead: true });
  expect(JSON.stringify(start)).not.toContain('--delete');
});
