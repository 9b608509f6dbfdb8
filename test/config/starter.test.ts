import { expect, test } from 'vitest';
import { keys } from '../../src/config/setting-keys.ts';
import { starterConfig } from '../../src/config/starter.ts';
import { readYamlLayer } from '../../src/config/yaml-layer.ts';

const checks = [
  { command: 'npm test', reason: 'tests: script test' },
  { command: 'node -e "x: # y"', reason: 'odd\nname' },
];

test('it sets nothing but the checks', () => {
  const { settings, problems } = readYamlLayer(starterConfig(checks), 'project', 'c.yaml');
  expect(problems).toEqual([]);
  expect(settings.map(({ key, value }) => [key, value])).toEqual([
    ['checks', checks.map(({ command }) => command)],
  ]);
});

test('without checks it sets nothing', () => {
  expect(readYamlLayer(starterConfig([]), 'project', 'c.yaml')).toEqual({ settings: [], problems: [] });
});

test('with the comment signs taken away it sets every setting to its default, and offers a review', () => {
  const text = starterConfig(checks)
    .split('\n')
    .filter((line) => !/^# (Settings of|Where a value|Plan checks)/.test(line))
    .map((line) => line.replace(/^# /, ''))
    .join('\n');
  const { settings, problems } = readYamlLayer(text, 'project', 'c.yaml');
  expect(problems.map((problem) => problem.text)).toEqual(
    keys
      .filter((key) => ['number', 'time'].includes(key.kind) && key.default === undefined)
      .map((key) => expect.stringContaining(key.name)),
  );
  for (const { key, value } of settings) {
    const wanted = keys.find(({ name }) => name === key)?.default;
    const offered = key === 'review.stages' ? ['first', 'external', 'final'] : wanted;
    if (key !== 'checks' && wanted !== undefined) expect(value, key).toEqual(offered);
  }
  expect(settings.length + problems.length).toBe(keys.length);
});
