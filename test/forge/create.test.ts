// Which forge a remote is on, by its URL.
import { describe, expect, test } from 'vitest';
import { createForge, kindOfHost, readAddress } from '../../src/forge/create.ts';
import { makeForge } from '../helpers/forge.ts';

describe('an address', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['https://github.com/team/work.git', 'github.com', 'team/work'],
    ['https://name:word@github.com/team/work', 'github.com', 'team/work'],
    ['git@github.com:team/work.git', 'github.com', 'team/work'],
    ['ssh://git@ssh.github.com:443/team/work.git', 'github.com', 'team/work'],
    ['git@gitlab.example.com:group/sub/work.git', 'gitlab.example.com', 'group/sub/work'],
    ['ssh://git@gitlab.example.com:2222/group/sub/work/', 'gitlab.example.com', 'group/sub/work'],
    ['work-key:team/work', 'work-key', 'team/work'],
    ['/srv/git/work.git', undefined, undefined],
    ['../work.git', undefined, undefined],
    ['file:///srv/git/work.git', undefined, undefined],
    ['C:/git/work.git', undefined, undefined],
  ])('%s', (url, host, path) => {
    expect(readAddress(url)).toEqual(host === undefined ? undefined : { host, path });
  });
});

test.each([
  ['github.com', 'github'],
  ['github.example.com', 'github'],
  ['team.ghe.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['gitlab.example.com', 'gitlab'],
  ['codeberg.org', undefined],
  ['notgithub.com', undefined],
])('the host %s', (host, kind) => {
  expect(kindOfHost(host)).toBe(kind);
});

// A run in CI does not wait for the job that it runs in.
test.each([
  ['github', { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1' }],
  ['gitlab', { GITLAB_CI: 'true', CI_JOB_ID: 'of the only job' }],
] as const)('on %s', async (kind, inCi) => {
  using there = makeForge(kind, { jobs: [{ name: 'own', run: 'true' }] });
  const commit = there.begin('main');
  const jobsIn = (env: Readonly<Record<string, string>>) => {
    const tools = { cwd: there.bare, env: { ...there.env, ...env }, signal: new AbortController().signal };
    const urls = [`https://${kind}.com/team/work.git`];
    return createForge({ remote: 'origin', urls, kind: 'auto' }, tools).checks(commit);
  };
  const [own] = await jobsIn({ GITHUB_ACTIONS: '', GITLAB_CI: '' });
  expect(own?.name).toBe('own');
  const env = kind === 'gitlab' ? { ...inCi, CI_JOB_ID: own?.id ?? '' } : inCi;
  expect(await jobsIn(env)).toEqual([]);
});
