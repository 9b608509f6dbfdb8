import { expect, test } from 'vitest';
import { adviceOf, type FleetJob, formatFleet } from '../../../src/report/status/format-fleet.ts';

const job: FleetJob = {
  ...{ id: '3f2a91c0', state: 'over', submitted: '2026-01-02T03:04:05.000Z' },
  ...{ repo: 'https://h/team/app', base: 'main', plan: 'login.md', run: '20260102-login' },
};
const seen = { worker: 'w', ageMs: 0, branch: 'login', tasks: { total: 1, closed: 0 } };

test.each<[string, Partial<FleetJob>, string]>([
  ['asks', {}, '`pawl fleet answer 3f2a91c0 <task> "…"` answers it, and puts it into the queue again'],
  ['needs-trust', {}, '`pawl fleet submit login.md --base main`'],
  ['elsewhere', {}, '`pawl status --remote`'],
  [
    'stopped',
    { seen },
    '`pawl fleet retry 3f2a91c0` puts it into the queue again; `pawl fleet take login` brings it',
  ],
  ['budget', { seen }, '`pawl fleet budget 3f2a91c0 <dollars>` gives it more'],
  ['failed', { seen }, '`pawl fleet retry 3f2a91c0`'],
])('of a job that ended as %s it is said what helps', (kind, more, words) => {
  expect(adviceOf({ ...job, ...more, result: { kind, exit: 1, says: '' } })).toContain(words);
});

test('a plan that was not begun as its branch is another’s is not told to delete that branch', () => {
  expect(adviceOf({ ...job, result: { kind: 'parted', exit: 2, says: '' } })).toBeUndefined();
  const gone = adviceOf({ ...job, seen, result: { kind: 'parted', exit: 8, says: '' } });
  expect(gone).toContain('Its work is in its clone on w');
  expect(gone).not.toMatch(/delete/i);
});

test('a job that is held says by what, and what helps', () => {
  const held: FleetJob = { ...job, state: 'held', after: '77aa0000-1', heldBy: 'asks' };
  const [, , , , row] = formatFleet({ database: 'db', workers: [], jobs: [held] });
  expect(row?.text).toContain('77aa0000, which it comes after, ended as asks; `pawl fleet 3f2a91c0`');
  expect(adviceOf(held)).toContain('`pawl fleet cancel 3f2a91c0` cancels this one');
});

const silent = { name: 'box', repos: [], slots: 1, busy: 1, says: '', version: '1', ageMs: 0 };

test('one that is done needs nothing; one that no worker takes says so', () => {
  expect(adviceOf({ ...job, result: { kind: 'done', exit: 0, says: '' } })).toBeUndefined();
  const lines = formatFleet({
    database: 'db',
    workers: [
      { ...silent, ageMs: 364_000 },
      { ...silent, name: 'late', ageMs: 40_000 },
    ],
    jobs: [
      { ...job, state: 'queued', lack: 'no worker takes it' },
      { ...job, state: 'waiting', after: '77aa0000-1' },
      { ...job, state: 'queued', last: { says: 'no docker', times: 2, dueMs: 160_000 } },
    ],
  });
  const text = lines.map((each) => each.text).join('\n');
  expect(text).toContain('box: silent for 6m 04s; its plans are offered to others');
  expect(text).toContain('late: 1 of 1 slot busy, last heard from 40s ago');
  expect(text).toContain('login.md on main – no worker takes it');
  expect(text).toContain('login.md on main – after 77aa0000');
  expect(text).toContain('login.md on main – given back 2 times, offered again in 2m 40s: no docker');
});
