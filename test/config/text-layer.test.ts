import { expect, test } from 'vitest';
import { readEnvLayer, readFlagLayer, readPlanLayer } from '../../src/config/text-layer.ts';

test.each<[Record<string, string>, unknown]>([
  [{}, {}],
  [{ HOME: '/h', PAWLER: 'x' }, {}],
  [{ PAWL_SESSION: 'r/1', PAWL_CHECK: 'r/2', PAWL_WATCHDOG: 'r' }, {}],
  [{ PAWL_BRANCH: '' }, {}],
  [{ PAWL_BRANCH: ' b ' }, { branch: 'b' }],
  [{ PAWL_STRICT: 'true' }, { strict: true }],
  [{ PAWL_AGENT_CLAUDE_API_KEY: 'keep' }, { 'agent.claude.apiKey': 'keep' }],
  [{ PAWL_ARCHIVE: '0' }, { archive: false }],
  [{ PAWL_TASK_ATTEMPTS: '5' }, { 'task.attempts': 5 }],
  [{ PAWL_BUDGETS_MAX_COST: '2.5' }, { 'budgets.maxCost': 2.5 }],
  [{ PAWL_CLOCKS_CHECK: '1h' }, { 'clocks.check': '1h' }],
  [{ PAWL_COMMIT_INCLUDE: 'a/**, b.pem,' }, { 'commit.include': ['a/**', 'b.pem'] }],
  [{ PAWL_CHECKS: '["npm test, all", lint]' }, { checks: ['npm test, all', 'lint'] }],
  [{ PAWL_AGENT_CLAUDE_MODEL: '3' }, { 'agent.claude.model': '3' }],
  [{ PAWL_BRANHC: 'b' }, 'PAWL_BRANHC this variable names no setting; did you mean PAWL_BRANCH?'],
  [{ PAWL_XYZZY_QUUX_FROB: 'b' }, 'PAWL_XYZZY_QUUX_FROB this variable names no setting'],
  [{ PAWL_STRICT: 'yes' }, 'PAWL_STRICT strict takes true or false, not “yes”.'],
  [{ PAWL_TASK_ATTEMPTS: '1e3' }, 'PAWL_TASK_ATTEMPTS task.attempts takes a number, not “1e3”.'],
  [{ PAWL_CHECKS: '[a' }, 'PAWL_CHECKS checks takes a list of texts, not “[a”.'],
])('%j', (env, wanted) => {
  expect(outcome(readEnvLayer(env))).toEqual(wanted);
});

test.each<[string, unknown]>([
  ['strict=true', { strict: true }],
  ['agent.claude.args=--x=1,--y', { 'agent.claude.args': ['--x=1', '--y'] }],
  ['commit.subject=feat: a=b', { 'commit.subject': 'feat: a=b' }],
  [
    'branch=feature/a.b@{c',
    '--set branch takes text that git takes as the name of a branch, not “feature/a.b@{c”.',
  ],
  ['branch=feature/ünï_1.b', { branch: 'feature/ünï_1.b' }],
  ['strict', '--set “strict” is not key=value'],
  ['=x', '--set “=x” is not key=value'],
  ['review=off', '--set review is a group of settings: review.stages'],
  ['strct=true', '--set there is no setting strct; did you mean strict?'],
  [
    'agent.command=x',
    '--set there is no setting agent.command; did you mean agent.claude.command or agent.codex.command or agent.script.command?',
  ],
])('--set %s', (word, wanted) => {
  expect(outcome(readFlagLayer([], [word]))).toEqual(wanted);
});

test('a flag of its own beats --set of the same key, and is named in its problem', () => {
  const flags = [{ flag: '--branch', key: 'branch', text: 'b' }];
  expect(readFlagLayer(flags, ['branch=a']).settings.at(-1)).toMatchObject({ value: 'b' });
  const wrong = readFlagLayer([{ flag: '--max-cost', key: 'budgets.maxCost', text: '-1' }]);
  expect(wrong.problems[0]).toMatchObject({ origin: { file: '--max-cost' } });
});

function outcome({ settings, problems }: ReturnType<typeof readEnvLayer>): unknown {
  const [problem] = problems;
  // Its meaning follows.
  if (problem) return `${problem.origin.file} ${problem.text}`.replace(/(”\.) .*/, '$1');
  return Object.fromEntries(settings.map(({ key, value }) => [key, value]));
}

test.each([
  '-x',
  'a b',
  'a..b',
  'HEAD',
  '@',
  'x~1',
  'a.lock/b',
  '.a',
  'a/.b',
  'a//b',
  'a/',
  'a.',
  'a\\b',
  'a\tb',
])('%j is no branch', (name) => {
  const [problem] = readFlagLayer([{ flag: '--branch', key: 'branch', text: name }]).problems;
  expect(problem?.text).toContain('that git takes as the name of a branch');
});

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

test.each([
  [{ attempts: 'many' }, 'task.attempts takes a number, not “many”'],
  [{ attempts: 0 }, 'task.attempts takes a number, >=1, not 0'],
  [{ model: null }, 'roles.task takes text, not null'],
  [{ effort: 4 }, 'roles.task takes text, not 4'],
  [{ budgets: { maxTime: '4x' } }, 'budgets.maxTime takes a time with its unit'],
  [{ budgets: 3 }, 'there is no setting budgets.3'],
  [{ roles: { reviewer: 'a' } }, 'there is no setting roles.reviewer; did you mean roles.review?'],
])('a wrong value is a problem with its line: %j', (matter, words) => {
  const settings = new Map(Object.entries(matter).map(([key, value]) => [key, { value, place: place(4) }]));
  const [problem, ...more] = readPlanLayer(settings, 'p.md').problems;
  expect(problem).toMatchObject({ origin: { layer: 'plan', file: 'p.md', line: 4 } });
  expect(problem?.text).toContain(words);
  expect(more).toEqual([]);
});
