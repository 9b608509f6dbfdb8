import { expect, test } from 'vitest';
import { readYamlLayer } from '../../src/config/yaml-layer.ts';

const read = (text: string) => readYamlLayer(text, 'project', 'c.yaml');

test.each([
  ['', {}],
  ['# only comments\n', {}],
  ['agent:\n  # all commented out\n', {}],
  ['strict: true\n', { strict: true }],
  ['agent:\n  claude:\n    model: opus\n', { 'agent.claude.model': 'opus' }],
  ['agent: { claude: { args: [a, b] } }\n', { 'agent.claude.args': ['a', 'b'] }],
  ['clocks: { silence: 20m }\n', { 'clocks.silence': '20m' }],
  ['a: &x [y]\n', 'c.yaml:1:1 there is no setting a'],
  ['checks: &x [y]\ncommit:\n  include: *x\n', { checks: ['y'], 'commit.include': ['y'] }],
  ['$schema: ./schema.json\nbranch: b\n', { branch: 'b' }],
  ['\uFEFFbranch: b\r\nstrict: false\r\n', { branch: 'b', strict: false }],
  ['strct: true\n', 'c.yaml:1:1 there is no setting strct; did you mean strict?'],
  ['agent:\n  claude:\n    comand: x\n', 'c.yaml:3:5 there is no setting agent.claude.comand; did'],
  ['agnt:\n  name: claude\n', 'c.yaml:1:1 there is no setting agnt; did you mean agent?'],
  [
    'agent:\n  roleFallback:\n    plan: [codex]\n',
    '2:3 there is no setting agent.roleFallback: agent.fallback is',
  ],
  ['fleet:\n  account: team\n', 'there is no setting fleet.account: `--max-cost` and `budgets.day` cap'],
  ['agent:\n  opencode:\n    model: x\n', 'no setting agent.opencode: write it as agents: { opencode: {'],
  [
    'agents:\n  opencode:\n    modle: x\n',
    'agents takes a map, as in YAML: {name: value}, not {"opencode":{"modle":"x"}}.',
  ],
  ['maxCost: 3\n', 'c.yaml:1:1 there is no setting maxCost; did you mean budgets.maxCost?'],
  ['agent: claude\n', 'agent is a group of settings, such as agent.name, not a single value'],
  ['branch:\n', 'c.yaml:1:1 branch has no value; leave the line out for the default'],
  ['strict: "yes"\n', 'c.yaml:1:9 strict takes true or false, not “yes”. Treat lint'],
  ['task:\n  attempts: 0\n', 'c.yaml:2:13 task.attempts takes a number, >=1, not 0.'],
  ['require: maybe\n', '1:10 require takes one of proven, passed, unchecked, not “maybe”.'],
  ['clocks: { check: 15 }\n', 'c.yaml:1:18 clocks.check takes a time with its unit,'],
  ['checks: npm test\n', 'c.yaml:1:9 checks takes a list of texts, not “npm test”.'],
  ['strict: true\nchecks:\n\t- a\n', 'c.yaml:3:1 this is not valid YAML: Tabs'],
  ['- a\n- b\n', 'c.yaml:1:1 settings are written as key: value'],
])('%j', (text, wanted) => {
  const { settings, problems } = read(text);
  if (typeof wanted === 'string') {
    const words = problems.map(
      ({ origin, text: said }) => `${origin.file}:${origin.line}:${origin.column} ${said}`,
    );
    expect(words).toEqual([expect.stringContaining(wanted)]);
  } else {
    expect(problems).toEqual([]);
    expect(Object.fromEntries(settings.map(({ key, value }) => [key, value]))).toEqual(wanted);
  }
});

test('all problems of a file are found at once, and its sound settings too', () => {
  const layer = read('a: 1\nstrict: 3\nbranch: ok\ntask:\n  nope: 1\n');
  expect(layer.problems.map(({ origin }) => origin.line)).toEqual([1, 2, 5]);
  expect(layer.settings.map(({ key }) => key)).toEqual(['branch']);
});

test.each(['a: [', 'a: 1\n  b: 2', 'strict: true\nstrict: false', 'a: *nope', '\t- x', '%'])(
  'broken YAML %j is a problem with a place, never an exception',
  (text) => {
    const { problems } = read(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems[0]?.origin.line).toBeGreaterThan(0);
  },
);

test.each([
  ['brackets', `checks: ${'['.repeat(300_000)}`],
  ['dashes', `checks:\n${'- '.repeat(100_000)}`],
])('%s without end are some problems', (_, text) => {
  const { problems } = read(text);
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThan(30);
});

test('an alias bomb is refused', () => {
  const levels = Array.from({ length: 12 }, (_, n) => `  - &l${n + 1} [${`*l${n},`.repeat(10)}]`);
  const bomb = `checks:\n  - &l0 [x]\n${levels.join('\n')}\n`;
  expect(() => read(bomb)).not.toThrow();
  expect(read(bomb).problems).toHaveLength(1);
});
