// A run in CI does not wait for the job that it runs in.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createForge } from '../../src/forge/create.ts';
import { makeForge } from '../helpers/forge.ts';

test.each([
  ['github', { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1' }],
  ['gitlab', { GITLAB_CI: 'true', CI_JOB_ID: 'of the only job' }],
] as const)('on %s', async (kind, inCi) => {
  using there = makeForge(kind, { jobs: [{ name: 'own', run: 'true' }] });
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', there.bare, '-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args],
      {
        encoding: 'utf8',
        input: '',
      },
    ).trim();
  const commit = git('commit-tree', '-m', 'start', git('mktree'));
  git('update-ref', 'refs/heads/main', commit);
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
