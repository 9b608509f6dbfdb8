import { describe, expect, test } from 'vitest';
import { isAllowed, type Job, judgeOffer, plainUrl, standsOn, withoutSecret } from '../../src/fleet/job.ts';

const hash = 'a'.repeat(64);
const job: Job = {
  ...{ repo: 'https://git.example.org/team/app.git', base: 'main', branch: 'p', plan: 'docs/plans/p.md' },
  ...{ planHash: hash, trustHash: hash, options: {}, by: 'a@b' },
};
const offer = { data: job, troubles: 0 };
const allowed = ['https://git.example.org/team/*'];

test.each<[string, Partial<typeof offer> & object, string | undefined]>([
  ['as it was submitted', {}, undefined],
  ['no object', { data: 'rm -rf /' as never }, 'not-allowed'],
  [
    'with an option that nobody knows',
    { data: { ...job, options: { command: 'x' } } as never },
    'not-allowed',
  ],
  ['with a command more', { data: { ...job, checks: ['x'] } as never }, 'not-allowed'],
  ['with a plan outside', { data: { ...job, plan: '../../etc/passwd' } }, 'not-allowed'],
  ['with a plan that reads as an option', { data: { ...job, plan: '--set' } }, 'not-allowed'],
  ['with a base that reads as an option', { data: { ...job, base: '--upload-pack=x' } }, 'not-allowed'],
  ['of another repository', { data: { ...job, repo: 'https://git.example.org/other/app' } }, 'not-allowed'],
  ['of a repository below', { data: { ...job, repo: 'https://git.example.org/team/a/b' } }, 'not-allowed'],
  ['with a branch that reads as an option', { data: { ...job, branch: '--force' } }, 'not-allowed'],
  ['by a helper of git’s', { data: { ...job, repo: 'ext::sh -c x' } }, 'not-allowed'],
  ...[
    'https://git.example.org/team/..%2fother%2fapp',
    'https://git.example.org/team/..',
    'https://git.example.org/team/a?x',
    'https://git.example.org/team/a#b',
    '/srv/git/..',
    '/srv/../secret',
    '--upload-pack=x',
    'relative',
  ].map((repo): [string, object, string] => [`of ${repo}`, { data: { ...job, repo } }, 'not-allowed']),
  ['that nine machines in a row failed', { troubles: 9 }, undefined],
  ['that ten did, with nothing done in between', { troubles: 10 }, 'environment'],
])('an offer %s', (_, change, kind) => {
  const judged = judgeOffer({ ...offer, ...change }, allowed);
  expect(judged.kind === 'over' ? judged.result.kind : undefined).toBe(kind);
});

test.each<[string, object, string, string | undefined]>([
  ['that is done', {}, 'done', 'login'],
  ['that a person finished', {}, 'elsewhere', 'login'],
  ['that failed', {}, 'failed', undefined],
  ['from another base', { base: 'release' }, 'done', undefined],
  ['of another repository', { repo: 'https://git.example.org/team/other' }, 'done', undefined],
])('a job stands on the branch of one %s', (_, change, kind, branch) => {
  const data = { ...job, branch: 'login', ...change };
  expect(standsOn(job, { data, result: { kind: kind as 'done', exit: 0, says: '' } })).toBe(branch);
});

describe('names', () => {
  test('a repository is allowed however its URL ends', () => {
    expect(isAllowed('https://git.example.org/team/app/', ['https://git.example.org/team/app.git'])).toBe(
      true,
    );
    expect(isAllowed('https://git.example.org/team/app', ['https://git.example.org/*'])).toBe(false);
    expect(isAllowed('https://gitXexample.org/team/app', allowed)).toBe(false);
  });
  test.each([
    ['https://h/*', 'https://h/..'],
    ['https://h/*/secret', 'https://h/../secret'],
    ['https://h/team/*', 'https://h/team/a?x'],
    ['https://h/team/*', 'https://h/team/..%2fother'],
    ['/srv/git/*', '/srv/git/.'],
    ['*', '/srv/git/a'],
  ])('%s stands for one name, not for %s', (pattern, repo) => {
    expect(isAllowed(repo, [pattern])).toBe(false);
  });
  test('a name may begin with a dot', () => {
    expect(isAllowed('https://h/team/.github', ['https://h/team/*'])).toBe(true);
  });
  test.each([
    ['git@git.example.org:team/app.git', true],
    ['git.example.org:team/app', true],
    ['ssh://git@Git.example.org:22/team/app/', true],
    ['http://git.example.org/team/app', false],
    ['ssh://git@git.example.org:2222/team/app', false],
    ['git@git.example.org:/team/app', false],
    ['/git.example.org/team/app', false],
  ])('%s is that of https: %s', (repo, isSame) => {
    expect(plainUrl(repo) === plainUrl(job.repo)).toBe(isSame);
    expect(isAllowed(repo, allowed)).toBe(isSame);
  });
  test('no login is submitted', () => {
    expect(withoutSecret('https://me:token@git.example.org/a')).toBe('https://git.example.org/a');
    expect(withoutSecret('https://me:p@ss@git.example.org/a')).toBe('https://git.example.org/a');
    expect(withoutSecret('ssh://git:word@git.example.org/a')).toBe('ssh://git@git.example.org/a');
    expect(withoutSecret('git@git.example.org:a/b')).toBe('git@git.example.org:a/b');
  });
});
