import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { childEnvironment, isDropped, verdictSwitches } from '../../src/process/environment.ts';

const logins = {
  CLAUDE_CODE_OAUTH_TOKEN: 't',
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CONFIG_DIR: '/c',
  ANTHROPIC_API_KEY: 'k',
  IS_SANDBOX: '1',
};

test.each([
  ['the user’s environment stays', { A: '1', PATH: '/bin' }, {}, { A: '1', PATH: '/bin' }],
  ['logins, providers and folders stay', logins, {}, logins],
  [
    'git looks at the folder it stands in, with the user’s own config',
    { GIT_DIR: '/x', GIT_INDEX_FILE: '/i', GIT_CONFIG_GLOBAL: '/g', GIT_AUTHOR_NAME: 'A' },
    {},
    { GIT_CONFIG_GLOBAL: '/g', GIT_AUTHOR_NAME: 'A' },
  ],
  [
    'the switches that an outer runner sets for what it starts go, and a person’s own stay',
    { MAKEFLAGS: 'i', NODE_TEST_CONTEXT: 'child-v8', PYTHONOPTIMIZE: '1', PYTEST_ADDOPTS: '-x' },
    {},
    { PYTEST_ADDOPTS: '-x' },
  ],
  ['undefined values go', { A: undefined, B: '' }, {}, { B: '' }],
  ['a mark', { PAWL_CHECK: 'old/1' }, { mark: 'PAWL_SESSION=r/1=x' }, { PAWL_SESSION: 'r/1=x' }],
  [
    'a mark cannot be set or removed otherwise',
    {},
    { mark: 'PAWL_CHECK=r/2', set: { PAWL_CHECK: undefined, PAWL_SESSION: 's' } },
    { PAWL_CHECK: 'r/2' },
  ],
  ['dropped by name, and set over it', { A: '1', B: '2' }, { drop: ['A', 'B'], set: { B: '3' } }, { B: '3' }],
  ['set to undefined', { A: '1' }, { set: { A: undefined } }, {}],
  [
    'what an agent’s own settings set is kept',
    {},
    { set: { CLAUDE_CODE_ENTRYPOINT: 'x' } },
    { CLAUDE_CODE_ENTRYPOINT: 'x' },
  ],
] as const)('%s', (_, base, options, expected) => {
  expect(childEnvironment(base, options)).toEqual(expected);
});

test('all that git itself calls local to a repository goes, but for config a person sets by count', () => {
  const local = execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(local.filter((name) => !isDropped(name))).toEqual(['GIT_CONFIG_COUNT']);
});

test('a person’s own switches that can decide a check are named', () => {
  expect(verdictSwitches({ PYTEST_ADDOPTS: '-x', GOFLAGS: '', PATH: '/bin', NODE_OPTIONS: '-r a' })).toEqual([
    'NODE_OPTIONS',
    'PYTEST_ADDOPTS',
  ]);
});
