// Which plan is meant where none is named.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../src/event.ts';
import { choosePlan, findPlan } from '../../src/start/find-plan.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { eachWorld } from '../cli/world.ts';
import { fact } from '../helpers/facts.ts';
import { writeRun } from '../helpers/write-run.ts';

const world = eachWorld({ git: true });

const choose = () => choosePlan(world.context());

/** A run of a plan, begun in the hour. */
function makeRun(hour: number, facts: readonly Fact[], more: Partial<FactOf<'run-started'>> = {}) {
  const at = new Date(Date.UTC(2026, 0, 1, hour));
  writeRun(path.join(world.cwd, '.git'), { at, plan: 'docs/plans/a.md', ...more }, ...facts);
}

const finished = fact('run-ended', { exit: 0, finished: true });

test('the only one there is, beside which a README is none', async () => {
  world.write('docs/plans/README.md', '# How plans are written here\n');
  world.write('docs/plans/b.md', '');
  world.write('docs/plans/completed/c.md', '');
  expect(await choose()).toBe('docs/plans/b.md');
});

test.each<[string, readonly Fact[], string]>([
  ['is not finished', [], 'docs/plans/a.md'],
  ['is finished', [finished], 'docs/plans/b.md'],
  ['is finished, and an undo of it was cut off', [finished, fact('undo-started')], 'docs/plans/a.md'],
])('the last run %s', async (_name, facts, chosen) => {
  world.write('docs/plans/b.md', '');
  makeRun(1, facts);
  expect(await choose()).toBe(chosen);
});

test('a review that was left runs no plan', async () => {
  world.write('docs/plans/b.md', '');
  makeRun(1, [finished]);
  makeRun(2, [], { plan: '.git/pawl/runs/x/review.md', review: { base: 'x', reportOnly: false } });
  expect(await choose()).toBe('docs/plans/b.md');
});

test('several are named, none is guessed', async () => {
  for (const name of ['a', 'b']) world.write(`docs/plans/${name}.md`, '');
  await expect(choose()).rejects.toMatchObject({ hint: 'docs/plans/a.md\ndocs/plans/b.md' });
});

test('one that its run has archived and not published yet is read where it is, from any folder', () => {
  const to = 'docs/plans/completed/a.md';
  world.write(to, '# Plan: A\n');
  makeRun(1, [fact('plan-archived', { from: 'docs/plans/a.md', to })]);
  const place = findPlaceAt(world.cwd) ?? expect.fail();
  const cwd = path.join(world.cwd, 'docs');
  expect(findPlan(world.context({ cwd }), place, { given: 'plans/a.md' })).toMatchObject({
    file: path.join(world.cwd, 'docs/plans/a.md'),
    text: '# Plan: A\n',
    open: { started: { plan: 'docs/plans/a.md' } },
  });
});
