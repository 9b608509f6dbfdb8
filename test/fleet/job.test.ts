import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bossVersion } from '../../src/fleet/database.ts';
import {
  isAllowed,
  type Job,
  judgeEnding,
  judgeOffer,
  keyOf,
  queueOf,
  standsOn,
  takes,
  withoutSecret,
} from '../../src/fleet/job.ts';
import { bossSchema } from '../../src/fleet/open-boss.ts';

const hash = 'a'.repeat(64);
const job: Job = {
  ...{ repo: 'https://git.example.org/team/app.git', base: 'main', branch: 'p', plan: 'docs/plans/p.md' },
  ...{ planHash: hash, trustHash: hash, labels: [], options: {}, by: 'a@b' },
};
const offer = { data: job, deaths: 0, run: undefined };
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
  ['with a label that reads as a path', { data: { ...job, labels: ['a/b'] } }, 'not-allowed'],
  ['with which four workers in a row went silent', { deaths: 4 }, undefined],
  ['with which five did, and nothing was done in between', { deaths: 5 }, 'dead'],
])('an offer %s', (_, change, kind) => {
  const judged = judgeOffer({ ...offer, ...change }, { allowed, cutOffs: 3 });
  expect(judged.kind === 'refused' ? judged.result.kind : undefined).toBe(kind);
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

const ending = {
  exit: 0,
  says: '',
  fenced: false,
  uncarried: false,
  parted: false,
  draining: false,
  troubles: 0,
};

test.each<[string, Partial<typeof ending>, string]>([
  ['done', {}, 'done'],
  ['failed', { exit: 1 }, 'failed'],
  ['asks', { exit: 3 }, 'asks'],
  ['budget', { exit: 5 }, 'budget'],
  ['a limit', { exit: 6 }, 'limited'],
  ['a bug', { exit: 70 }, 'failed'],
  ['taken by another', { exit: 8, fenced: true }, 'elsewhere'],
  ['done, which the remote was not told', { exit: 8, uncarried: true }, 'again'],
  ['the same, of a worker that ends', { exit: 8, uncarried: true, draining: true }, 'back'],
  ['done, and the remote does not take its branch', { exit: 8, uncarried: true, parted: true }, 'parted'],
  ['stopped', { exit: 143 }, 'back'],
  ['by `pawl stop`', { exit: 130 }, 'stopped'],
  ['the same, of a worker that ends', { exit: 130, draining: true }, 'back'],
  ['killed', { exit: null as never }, 'back, trouble'],
  ['killed again and again', { exit: null as never, troubles: 9 }, 'environment'],
  ['killed, as its worker ends', { exit: null as never, draining: true }, 'back'],
  ['the machine’s fault, first', { exit: 8 }, 'back, trouble'],
  ['the machine’s fault, again', { exit: 8, troubles: 9 }, 'environment'],
  ['refused since another goes on with it at this moment', { exit: 2 }, 'back, trouble'],
  ['refused again and again', { exit: 2, troubles: 9 }, 'failed'],
  ['the same, of a worker that ends', { exit: 8, draining: true }, 'back'],
])('%s', (_, change, wanted) => {
  const verdict = judgeEnding({ ...ending, ...change });
  const told =
    verdict.kind === 'over'
      ? verdict.result.kind
      : `${verdict.kind}${verdict.kind === 'back' && verdict.trouble !== undefined ? ', trouble' : ''}`;
  expect(told).toBe(wanted);
});

test('a remote that is away for an hour ends no job', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((troubles) => {
    const verdict = judgeEnding({ ...ending, exit: 8, troubles });
    return verdict.kind === 'back' ? (verdict.afterMs ?? 0) : Number.NaN;
  });
  expect(pauses[0]).toBe(10_000);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(60 * 60_000);
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
  test('a queue per repository and set of labels', () => {
    const { repo } = job;
    expect(queueOf({ repo, labels: ['b', 'a', 'b'] })).toMatch(/^pawl\/[0-9a-f]{16}\/a\/b$/);
    expect(queueOf({ repo: 'https://git.example.org/team/app/', labels: [] })).toBe(queueOf(job));
    expect(queueOf({ repo: `${repo}x`, labels: [] })).not.toBe(queueOf(job));
  });
  test('a worker takes what its list allows and its labels cover', () => {
    const worker = { repos: allowed, labels: ['b', 'a'] };
    expect([[], ['a'], ['c']].map((labels) => takes(worker, { ...job, labels }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(takes({ ...worker, repos: ['https://h/*'] }, job)).toBe(false);
  });
  test('a key per base branch', () => {
    expect(keyOf(job)).toBe('git.example.org/team/app#main');
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
    expect(keyOf({ repo, base: 'main' }) === keyOf({ ...job, base: 'main' })).toBe(isSame);
    expect(takes({ repos: allowed, labels: [] }, { repo, labels: [] })).toBe(isSame);
  });
  test('no login is submitted', () => {
    expect(withoutSecret('https://me:token@git.example.org/a')).toBe('https://git.example.org/a');
    expect(withoutSecret('https://me:p@ss@git.example.org/a')).toBe('https://git.example.org/a');
    expect(withoutSecret('ssh://git:word@git.example.org/a')).toBe('ssh://git@git.example.org/a');
    expect(withoutSecret('git@git.example.org:a/b')).toBe('git@git.example.org:a/b');
  });
});

test('package.json names the pg-boss whose tables are known', () => {
  const { peerDependencies } = z
    .object({ peerDependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
  expect(peerDependencies['pg-boss']).toBe(bossVersion);
  const boss = createRequire(import.meta.url)
    .resolve('pg-boss')
    .replace(/dist\/.*$/, 'package.json');
  expect(JSON.parse(readFileSync(boss, 'utf8'))).toMatchObject({
    version: bossVersion,
    pgboss: { schema: bossSchema },
  });
});
