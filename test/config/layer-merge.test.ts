import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatOrigin,
  type LayerName,
  type LayerSetting,
  layerNames,
  mergeSettings,
  nest,
} from '../../src/config/layer.ts';

const setting = (layer: LayerName, key: string, value: unknown): LayerSetting => ({
  key,
  value,
  origin: { layer, file: layer },
});
const sources = layerNames.filter((name) => name !== 'default');

test('an earlier layer wins, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...sources], { minLength: 1 }), (layers) => {
      const merged = mergeSettings(layers.map((layer) => setting(layer, 'branch', layer)));
      expect(merged.settings.get('branch')?.value).toBe(sources.find((name) => layers.includes(name)));
      expect(merged.notices).toEqual([]);
    }),
  );
});

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

test('lists replace, they do not add up', () => {
  const { settings } = mergeSettings([setting('user', 'checks', ['a']), setting('project', 'checks', ['b'])]);
  expect(settings.get('checks')?.value).toEqual(['b']);
});

test('dotted keys nest', () => {
  expect(
    nest([
      ['a.b.c', 1],
      ['a.b.d', 2],
      ['e', 3],
    ]),
  ).toEqual({ a: { b: { c: 1, d: 2 } }, e: 3 });
});

test.each([
  [{ layer: 'default' as const }, 'default'],
  [{ layer: 'flag' as const, file: '--set' }, '--set'],
  [{ layer: 'user' as const, file: '/c.yaml', line: 3, column: 1 }, '/c.yaml:3'],
])('%j reads %s', (origin, words) => {
  expect(formatOrigin(origin)).toBe(words);
});
