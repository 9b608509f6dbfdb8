import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type LayerName,
  type LayerSetting,
  layerNames,
  mergeSettings,
  readCaps,
} from '../../src/config/layer.ts';

const setting = (
  layer: LayerName,
  key: string,
  value: unknown,
  origin: Readonly<{ file?: string; line?: number; column?: number }> = {},
): LayerSetting => ({ key, value, origin: { layer, file: layer, ...origin } });
const sources = layerNames.filter((name) => name !== 'default');

test('of budgets the smallest of all layers wins', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([...sources], { minLength: 1 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5 }),
      (layers, values) => {
        const settings = layers.map((layer, index) => setting(layer, 'budgets.maxSessions', values[index]));
        const merged = mergeSettings(settings);
        expect(merged.settings.get('budgets.maxSessions')?.value).toBe(
          Math.min(...settings.map(({ value }) => Number(value))),
        );
      },
    ),
  );
});

test('a looser budget is said', () => {
  const { notices } = mergeSettings([
    setting('flag', 'budgets.maxCost', 20),
    setting('user', 'budgets.maxCost', 5),
  ]);
  expect(notices).toEqual([
    'budgets.maxCost 20 (flag) is looser than 5 (user); budgets only tighten, so 5 holds',
  ]);
});

test('within one layer the later of two wins, for budgets too', () => {
  const { settings } = mergeSettings([
    setting('flag', 'budgets.maxCost', 1),
    setting('flag', 'budgets.maxCost', 2),
  ]);
  expect(settings.get('budgets.maxCost')?.value).toBe(2);
});

test('of the caps of a run settings tighten each other, a flag stands apart, and files are named from the root', () => {
  const caps = readCaps(
    [
      setting('flag', 'budgets.maxCost', 10, { file: '--max-cost' }),
      setting('environment', 'budgets.maxTime', '4h', { file: 'PAWL_BUDGETS_MAX_TIME' }),
      setting('plan', 'budgets.maxTime', '90m', { file: '/repo/docs/p.md', line: 4, column: 1 }),
      setting('project', 'budgets.maxCost', 20, { file: '/repo/.pawl/config.yaml', line: 3, column: 1 }),
      setting('user', 'budgets.maxCost', 25, { file: '/home/a/config.yaml', line: 1, column: 1 }),
      setting('user', 'budgets.day', 50, { file: '/home/a/config.yaml', line: 2, column: 1 }),
      setting('user', 'branch', 'x', { file: '/home/a/config.yaml', line: 3, column: 1 }),
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
