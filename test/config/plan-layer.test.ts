import { expect, test } from 'vitest';
import { readPlanLayer } from '../../src/config/text-layer.ts';

const place = (line: number) => ({ line, column: 1, offset: 0 });

test.each<[Record<string, unknown>, unknown]>([
  [{}, {}],
  [{ model: 'opus' }, { 'roles.task': 'opus' }],
  [{ model: 'opus', effort: 'high' }, { 'roles.task': 'opus:high' }],
  [{ model: 'opus:low', effort: 'high' }, { 'roles.task': 'opus:low' }],
  [{ model: 'x-v1:0', effort: 'high' }, { 'roles.task': 'x-v1:0:high' }],
  [{ effort: 'high' }, { 'roles.task': ':high' }],
  [{ roles: { task: 'haiku' }, model: 'opus' }, { 'roles.task': 'haiku' }],
  [
    { model: 'opus', roles: { task: 'haiku', review: 'opus' } },
    { 'roles.task': 'haiku', 'roles.review': 'opus' },
  ],
  [
    { attempts: 2, branch: 'b' },
    { 'task.attempts': 2, branch: 'b' },
  ],
  [{ budgets: { maxCost: 3 } }, { 'budgets.maxCost': 3 }],
  [{ cwd: 'packages/a', review: ['first'] }, { 'review.stages': ['first'] }],
])('%j', (matter, wanted) => {
  const settings = new Map(
    Object.entries(matter).map(([key, value], index) => [key, { value, place: place(index + 2) }]),
  );
  const layer = readPlanLayer(settings, 'p.md');
  expect(layer.problems).toEqual([]);
  expect(Object.fromEntries(layer.settings.map(({ key, value }) => [key, value]))).toEqual(wanted);
});

test('a wrong value is a problem with its line', () => {
  const layer = readPlanLayer(new Map([['attempts', { value: 'many', place: place(4) }]]), 'p.md');
  expect(layer.problems[0]).toMatchObject({ origin: { layer: 'plan', file: 'p.md', line: 4 } });
});
