// What jobs come to, and which are mended.
import { describe, expect, test } from 'vitest';
import { type CiAttempt, type CiJob, lastAttempts } from '../../../src/forge/forge.ts';
import {
  aboutToken,
  describeCi,
  judgeCi,
  listBad,
  listMendable,
  nameJobs,
  worstCi,
} from '../../../src/phase/publish/judge-ci.ts';

const job = (state: CiJob['state'], name = state as string, more: Partial<CiJob> = {}): CiJob => ({
  ...{ id: '1', name, state, wasRed: false, url: '' },
  ...more,
});

describe('a commit', () => {
  const [green, red, pending] = [job('green'), job('red'), job('pending')];
  test.each<[string, readonly CiJob[], boolean, boolean, string | undefined]>([
    ['is awaited while a job runs', [green, pending], true, false, undefined],
    ['is awaited while more jobs may begin', [green], false, false, undefined],
    ['is green', [green], true, false, 'green'],
    ['has no CI', [], true, false, 'none'],
    ['is red once all have ended', [green, red], true, false, 'red'],
    ['is awaited while others run beside a red one', [red, pending], true, false, undefined],
    ['is red when the clock is over, whatever runs', [red, pending], true, true, 'red'],
    ['is given up', [green, pending], true, true, 'gave-up'],
    ['is red by a job that was cancelled', [job('cancelled')], true, false, 'red'],
    ['is flaky', [green, job('green', 'e2e', { wasRed: true })], true, false, 'flaky'],
  ])('%s', (_, jobs, settled, over, state) => {
    expect(judgeCi(jobs, { settled, over })).toBe(state);
  });
});

test('of the attempts of a job the last counts, and an earlier red one is known', () => {
  const attempt = (name: string, state: CiJob['state'], at: number): CiAttempt => {
    const { wasRed: _, ...rest } = job(state, name);
    return { job: rest, key: name, at };
  };
  const jobs = lastAttempts([attempt('a', 'green', 2), attempt('a', 'red', 1), attempt('b', 'red', 3)]);
  expect(jobs.map(({ name, state, wasRed }) => [name, state, wasRed])).toEqual([
    ['a', 'green', true],
    ['b', 'red', false],
  ]);
});

test.each([
  [{ GITHUB_ACTIONS: 'true' }, true],
  [{ GITLAB_CI: 'true' }, false],
  [{}, false],
])('with %o, that a job’s token starts no workflow is said: %s', (env, says) => {
  expect(aboutToken(env).includes('GITHUB_TOKEN')).toBe(says);
});

describe('of red jobs', () => {
  const base = [job('red', 'c'), job('green', 'b')];
  type Row = [string, Readonly<Record<string, readonly CiJob[]>>, string, readonly string[]];
  const [green, a, b] = [job('green', 'a'), job('red', 'a'), job('red', 'b')];
  const mixed = [green, b, job('red', 'c'), job('cancelled', 'd')];
  test.each<Row>([
    ['red on the base, or cancelled', { own: mixed }, 'b, c (red on main too), d (cancelled)', ['own b']],
    ['in the lowest branch', { t1: [green], t2: [a], own: [a, b] }, 't2: a, a, b', ['t2 a']],
    ['green by a later task', { t1: [a], t2: [green], own: [b] }, 't1: a (green above), b', ['own b']],
    ['which the branches above lack', { t1: [a], own: [] }, 't1: a', ['t1 a']],
  ])('%s', (_, branches, names, mended) => {
    const bad = listBad(
      Object.entries(branches).map(([branch, jobs]) => ({ branch, jobs })),
      base,
    );
    expect(nameJobs(bad, { target: 'main', own: 'own' })).toBe(names);
    expect(listMendable(bad).map(({ name, branch }) => `${branch} ${name}`)).toEqual(mended);
  });
});

test.each([
  [['green', 'red', 'gave-up'], 'red'],
  [['none', 'green'], 'green'],
  [['none'], 'none'],
] as const)('of branches that are %s, all come to %s', (states, all) => {
  expect(worstCi(states)).toBe(all);
});

test('green names the branches for which no job began', () => {
  const branches = [
    { branch: 'plan-task-1', jobs: [job('green')] },
    { branch: 'plan', jobs: [] },
  ];
  const text = describeCi({ state: 'green', branches, text: '' }, { bad: '', env: {} });
  expect(text).toBe('1 of 1 jobs; none began for plan');
});
