import { expect, test } from 'vitest';
import { usualStages } from '../../src/config/stages.ts';
import { isStarter, starterConfig } from '../../src/config/starter.ts';
import { readYamlLayer } from '../../src/config/yaml-layer.ts';

const checks = [
  { command: 'npm test', reason: 'tests: script test' },
  { command: 'node -e "x: # y"', reason: 'odd\nname' },
];

test('it sets nothing but the checks and the review', () => {
  const { settings, problems } = readYamlLayer(starterConfig(checks, usualStages), 'project', 'c.yaml');
  expect(problems).toEqual([]);
  expect(settings.map(({ key, value }) => [key, value])).toEqual([
    ['checks', checks.map(({ command }) => command)],
    ['review.stages', ['first', 'final']],
  ]);
});

test('without either it sets that there is no review', () => {
  const { settings } = readYamlLayer(starterConfig([], []), 'project', 'c.yaml');
  expect(settings.map(({ key, value }) => [key, value])).toEqual([['review.stages', []]]);
});

test('it is short, and with the comment signs taken away every line of it is a setting that exists', () => {
  const text = starterConfig([], []);
  expect(text.split('\n').length).toBeLessThan(32);
  const bare = text
    .split('\n')
    .filter((line) => /^# (?: *\w+:)/.test(line) && !line.startsWith('# All settings'))
    .map((line) => line.replace(/^# /, ''))
    .join('\n');
  const { settings, problems } = readYamlLayer(bare, 'project', 'c.yaml');
  expect(problems).toEqual([]);
  expect(settings).toHaveLength(10);
});

test.each<[string, string, boolean]>([
  ['as it was written', starterConfig(checks, usualStages), true],
  ['without checks', starterConfig([], []), true],
  ['with another setting', `${starterConfig(checks, usualStages)}jobs: 2\n`, false],
  ['with a setting uncommented', starterConfig(checks, usualStages).replace('# jobs', 'jobs'), false],
])('a file %s', (_, text, expected) => {
  expect(isStarter(text)).toBe(expected);
});
