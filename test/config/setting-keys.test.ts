import { expect, test } from 'vitest';
import { findKey, isSection, keys } from '../../src/config/setting-keys.ts';
import { envName } from '../../src/config/text-layer.ts';

test('every setting has a meaning of one line and a sound default', () => {
  expect(keys.length).toBeGreaterThan(40);
  for (const key of keys) {
    expect(key.meaning, key.name).toMatch(/^[^\n]{8,}[.]$/);
    if (key.default !== undefined) expect(key.schema.safeParse(key.default).success, key.name).toBe(true);
  }
});

test('names and variables are unique', () => {
  expect(new Set(keys.map((key) => key.name)).size).toBe(keys.length);
  expect(new Set(keys.map((key) => envName(key.name))).size).toBe(keys.length);
});

test.each([
  ['agent.claude.command', 'text', 'claude'],
  ['agent.claude.permissions', 'choice', 'bypass'],
  ['commit.include', 'list', []],
  ['task.attempts', 'number', 3],
  ['archive', 'switch', true],
  ['clocks.silence', 'time', '10m'],
  ['budgets.maxCost', 'number', undefined],
])('%s is a %s', (name, kind, fallback) => {
  expect(findKey(name)).toMatchObject({ kind, default: fallback, tightens: name.startsWith('budgets.') });
});

test('groups are told from settings', () => {
  expect(['', 'agent', 'agent.claude'].map(isSection)).toEqual([true, true, true]);
  expect(['agent.claude.command', 'agen', 'checks'].map(isSection)).toEqual([false, false, false]);
});
