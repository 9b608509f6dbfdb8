// `pawl clean` on runs made by hand: what goes, what stays, and that a dry run removes nothing.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CleanOptions, cleanRuns } from '../../src/cli/clean.ts';
import { removeOwnFolder } from '../../src/disk.ts';
import type { Fact } from '../../src/event.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { journalFile } from '../../src/journal/run-files.ts';
import { writeFileAtomic } from '../../src/write-file.ts';
import { openTemp } from '../git/open.ts';
import { eachTest } from '../helpers/each-test.ts';
import { fact } from '../helpers/facts.ts';
import { writeRun } from '../helpers/write-run.ts';
import { eachWorld } from './world.ts';

const now = new Date('2026-03-01T00:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000);

const world = eachWorld();

const made = eachTest(() => openTemp());

/** A run that ended so many days ago, with two refs of its own. */
const makeRun = (days: number, ...facts: readonly Fact[]) => makeRunOf(`plan-${days}`, days, ...facts);

async function makeRunOf(plan: string, days: number, ...facts: readonly Fact[]) {
  const at = daysAgo(days);
  const { run, folder } = writeRun(made.repo.commonDir, { at, plan: `${plan}.md` }, ...facts);
  for (const name of ['rescue', 'undone/001']) await putRef(`refs/pawl/${run}/${name}`, at);
  return { run, folder };
}

async function putRef(ref: string, at: Date): Promise<void> {
  const when = `${at.getTime() / 1000} +0000`;
  const env = { GIT_AUTHOR_DATE: when, GIT_COMMITTER_DATE: when };
  const oid = await made.repo.write('x', ['commit-tree', '-m', 'x', 'HEAD^{tree}'], { env });
  await made.temp.git('update-ref', ref, oid.trim());
}

const finished = fact('run-ended', { exit: 0, finished: true });
const stopped = fact('run-ended', { exit: 1, finished: false });

const clean = (options: CleanOptions = {}) =>
  world.run(cleanRuns, options, [], { cwd: made.temp.path, now: () => now });

const refs = async () =>
  (await made.temp.git('for-each-ref', '--format=%(refname)', 'refs/pawl/')).split('\n').filter(Boolean);

test('only what was finished long ago goes, folder and refs, with its size', async () => {
  const old = await makeRun(31, finished);
  const young = await makeRun(29, finished);
  const open = await makeRun(90, stopped);
  const died = await makeRun(91);
  const { exit, stdout } = await clean();
  expect(exit).toBe(0);
  expect(stdout).toMatch(new RegExp(`^removed {2}${old.run} {2}\\(\\d+ B, 2 refs, ended 31 days ago\\)\n`));
  expect(stdout).toContain('Kept: 1 run finished or given up in the last 30 days, 2 runs not finished.');
  expect([old, young, open, died].map(({ folder }) => existsSync(folder))).toEqual([false, true, true, true]);
  expect((await refs()).filter((ref) => ref.includes(old.run))).toEqual([]);
  expect(await refs()).toHaveLength(6);
});

test('what was saved a short while ago keeps its run', async () => {
  const { run, folder } = await makeRun(40, finished);
  await putRef(`refs/pawl/${run}/rescue`, daysAgo(0.1));
  expect((await clean()).stdout).toContain('1 run finished or given up in the last 30 days');
  expect(existsSync(folder)).toBe(true);
  expect(await refs()).toHaveLength(2);
});

test('a run that was begun anew is given up, however it ended; the newest is not', async () => {
  const runs = [
    await makeRunOf('plan', 50, stopped),
    await makeRunOf('plan', 45),
    await makeRunOf('plan', 40),
  ];
  expect((await clean()).stdout).toContain('Kept: 1 run not finished.');
  expect(runs.map(({ folder }) => existsSync(folder))).toEqual([false, false, true]);
});

test('--dry-run names the same and removes nothing', async () => {
  const old = await makeRun(31, finished);
  expect((await clean({ dryRun: true })).stdout).toMatch(`would remove  ${old.run}`);
  expect(existsSync(old.folder)).toBe(true);
  expect(await refs()).toHaveLength(2);
});

test('--days moves the border; nothing old is said', async () => {
  await makeRun(8, finished);
  const kept = 'Nothing to remove.\nKept: 1 run finished or given up in the last 30 days.\n';
  expect((await clean()).stdout).toBe(kept);
  expect((await clean({ days: 7 })).stdout).toMatch(/^removed/);
  expect(await refs()).toEqual([]);
});

test('a run whose spending the budget of the day still counts stays, however short the days', async () => {
  const spent = fact('session-ended', { session: 1, costUsd: 2, costAtLeast: false });
  const today = [
    fact('session-started', { session: 1 }),
    fact('session-cost', { costUsd: 2 }),
    spent,
    finished,
  ];
  // Its noon is within the local day of now in every zone that tests run in.
  const late = { now: () => new Date(now.getTime() + 12 * 60 * 60 * 1000) };
  const { folder } = await makeRun(-0.49, ...today);
  const free = await makeRun(-0.48, finished);
  const kept = await world.run(cleanRuns, { days: 0 }, [], { cwd: made.temp.path, ...late });
  expect(kept.stdout).toContain('1 run that the budget of the day (budgets.day) still counts');
  expect([existsSync(folder), existsSync(free.folder)]).toEqual([true, false]);
  const tomorrow = new Date(now.getTime() + 60 * 60 * 60 * 1000);
  await world.run(cleanRuns, { days: 0 }, [], { cwd: made.temp.path, now: () => tomorrow });
  expect(existsSync(folder)).toBe(false);
});

test('a run that somebody works on stays, and so does one that undo opened again, or was about to', async () => {
  const live = await makeRun(40, finished);
  const cut = await makeRun(42, finished, fact('undo-started'));
  const reopened = await makeRun(41, finished, fact('task-reopened', { by: 'undo', tree: '1'.repeat(40) }));
  using _lock = acquireLock(made.repo.gitDir, live.run, now);
  const { stdout } = await clean();
  expect(stdout).toContain('Kept: 1 run at work, 2 runs not finished.');
  expect([live, cut, reopened].map(({ folder }) => existsSync(folder))).toEqual([true, true, true]);
});

test('a journal that cannot be read is no finished run', async () => {
  const { folder } = await makeRun(40, finished);
  const first = JSON.stringify({ v: 10, at: daysAgo(40).toISOString(), ...fact('run-started') });
  writeFileAtomic(`${folder}/${journalFile}`, `${first}\nnonsense\n`);
  expect((await clean()).stdout).toContain('1 run with a journal that cannot be read');
  expect(existsSync(folder)).toBe(true);
});

test('refs whose folder is gone go by their age', async () => {
  const { folder } = await makeRun(40, finished);
  removeOwnFolder(folder);
  const young = await world.run(cleanRuns, { days: 41 }, [], { cwd: made.temp.path, now: () => now });
  expect(young.stdout).toMatch(/^Nothing to remove/);
  const { stdout } = await clean();
  expect(stdout).toMatch(/^removed .*plan-40-\w{6} {2}\(0 B, 2 refs/);
  expect(await refs()).toEqual([]);
});
