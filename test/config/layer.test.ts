// The caps of a run from the layers' settings: the tightest of the settings apart from what a flag asks.
import { expect, test } from 'vitest';
import { type LayerName, type LayerSetting, readCaps } from '../../src/config/layer.ts';

const setting = (
  layer: LayerName,
  key: string,
  value: unknown,
  file: string,
  line?: number,
): LayerSetting => ({
  key,
  value,
  origin: { layer, file, ...(line === undefined ? {} : { line, column: 1 }) },
});

test('settings tighten each other, a flag stands apart, and files are named from the root', () => {
  const caps = readCaps(
    [
      setting('flag', 'budgets.maxCost', 10, '--max-cost'),
      setting('environment', 'budgets.maxTime', '4h', 'PAWL_BUDGETS_MAX_TIME'),
      setting('plan', 'budgets.maxTime', '90m', '/repo/docs/p.md', 4),
      setting('project', 'budgets.maxCost', 20, '/repo/.pawl/config.yaml', 3),
      setting('user', 'budgets.maxCost', 25, '/home/a/config.yaml', 1),
      setting('user', 'budgets.day', 50, '/home/a/config.yaml', 2),
      setting('user', 'branch', 'x', '/home/a/config.yaml', 3),
    ],
    '/repo',
  );
  expect(caps).toEqual({
    settings: [
      { budget: 'cost', cap: 20, from: '.pawl/config.yaml:3' },
      { budget: 'day', cap: 50, from: '/home/a/config.yaml:2' },
      { budget: 'time', cap: 90 * 60_000, from: 'docs/p.md:4' },
    ],
    asked: [{ budget: 'cost', cap: 10, from: '--max-cost' }],
  });
});
