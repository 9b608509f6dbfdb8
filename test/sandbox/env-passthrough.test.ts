import { describe, expect, test } from 'vitest';
import {
  clientEnvironment,
  judgeEnvEntry,
  passedEnvironment,
  passthroughEnvironment,
} from '../../src/sandbox/env-passthrough.ts';

const isAgents = (name: string) => /^(ANTHROPIC_|CLAUDE_CODE_|OPENAI_)/.test(name);

const user = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  PAWL_PORT_OFFSET: '100',
  PAWL_BRANCH: 'x',
  ANTHROPIC_API_KEY: 'key',
  CLAUDE_CODE_OAUTH_TOKEN: 'token',
  CLAUDE_CONFIG_DIR: '/home/ada/.claude',
  GITHUB_TOKEN: 'secret',
  NPM_TOKEN: 'npm',
  DOCKER_HOST: 'unix:///x',
  CONTAINERS_CONF: '/x',
  CONTAINER_NAME: 'x',
  SSH_AUTH_SOCK: '/run/agent',
};

describe('what crosses', () => {
  test('nothing of the machine, agents’ logins, and what is asked for', () => {
    expect(passthroughEnvironment(user, ['NPM_TOKEN', 'MODE=test', 'ABSENT'], isAgents)).toEqual({
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      PAWL_PORT_OFFSET: '100',
      ANTHROPIC_API_KEY: 'key',
      CLAUDE_CODE_OAUTH_TOKEN: 'token',
      NPM_TOKEN: 'npm',
      MODE: 'test',
    });
  });

  test('only what is named beside what says nothing of the machine', () => {
    expect(Object.keys(passthroughEnvironment(user, ['ANTHROPIC_API_KEY'])).join(' ')).toBe(
      'LANG TZ PAWL_PORT_OFFSET ANTHROPIC_API_KEY',
    );
  });

  test('what the container says itself stays, and nothing crosses that outer programs obey', () => {
    const own = {
      PATH: '/x',
      HOME: '/x',
      https_proxy: 'x',
      IS_SANDBOX: '0',
      LD_PRELOAD: './x.so',
      PS4: '$(x)',
      CONTAINERS_CONF: './x',
    };
    expect(passedEnvironment({ PAWL_CHECK: 'r/1', ...own, CI: '1' })).toEqual({ PAWL_CHECK: 'r/1', CI: '1' });
  });

  test('docker’s client gets what finds the engine', () => {
    const names = Object.keys(clientEnvironment(user)).join(' ');
    expect(names).toBe('PATH HOME LANG DOCKER_HOST CONTAINERS_CONF SSH_AUTH_SOCK');
  });

  test.each([
    ['NPM_TOKEN', undefined],
    ['MODE=a=b', undefined],
    ['A B', '“A B” is not NAME or NAME=value'],
    ['=x', '“=x” is not NAME or NAME=value'],
    ['HOME=/x', 'HOME belongs to the host, or to the sandbox itself'],
    ['HTTPS_PROXY', 'HTTPS_PROXY belongs to the host, or to the sandbox itself'],
  ])('sandbox.env %s', (entry, wanted) => {
    expect(judgeEnvEntry(entry)).toBe(wanted);
  });
});
