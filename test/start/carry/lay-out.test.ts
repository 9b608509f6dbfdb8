// A carried journal is read through before anything of it is used: names that lead out of the repository, another run's journal,
// and what is no journal are refused.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { listRuns } from '../../../src/journal/folder.ts';
import type { CarriedRun } from '../../../src/phase/carry/owner.ts';
import { emptyFolder, layOut, readLaidOut, refuseBranch } from '../../../src/start/carry/lay-out.ts';
import { makeWorld } from '../../cli/world.ts';
import { openTemp } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const { 'run-started': started, 'plan-archived': archived } = sampleFacts;
const archiving = { ...archived, state: 'announced' } as const;
const text = (...facts: readonly Fact[]) =>
  facts.map((fact) => `${JSON.stringify({ v: 10, at: '2026-11-21T22:30:05.000Z', ...fact })}\n`).join('');

/** Of the sample's run, at this head. */
const carriedAt = (head: string): Omit<CarriedRun, 'files'> => ({
  ...{ oid: head, parents: [head], head, work: undefined, host: 'laptop' },
  ...{ at: '2026-11-21T22:40:00.000Z', ended: false },
  ...{ run: started.run, plan: started.plan, branch: started.branch },
});

const carriedOf = (head: string, journal: string): CarriedRun => ({
  ...carriedAt(head),
  files: new Map([['journal.ndjson', Buffer.from(journal)]]),
});

const outside = { ...started, plan: '../plan.md' };
const inGit = { ...started, plan: '.git/hooks/pre-commit' };
const option = { ...started, branch: '--force' };
const away = { ...archiving, to: '/etc/cron.d/x' };
const draft = { ...sampleFacts['dialogue-drafted'], file: '../x' };
const noLine = /is not a line of pawl's journal/;

test.each([
  ['a plan outside', text(outside), started, /is that of another run/],
  ['a plan outside, by both', text(outside), outside, /names "\.\.\/plan\.md", outside the repository/],
  ['a plan in the git folder', text(inGit), inGit, /names "\.git\/hooks\/pre-commit"/],
  ['a move of the plan to outside', text(started, away), started, /names "\/etc\/cron\.d\/x"/],
  ['a move that was taken back', text(started, away, archiving), started, /names "\/etc\/cron\.d\/x"/],
  ...['../../../../../secret.txt', '/etc/shadow', 'checks/../../x', '..\\x'].map(
    (log) =>
      [
        `an output in ${log}`,
        text(started, { ...sampleFacts['check-ended'], log }),
        started,
        noLine,
      ] as const,
  ),
  ['a draft outside', text(started, draft), started, noLine],
  ['an untracked file outside', text({ ...started, untracked: ['a/../../b'] }), started, /a\/\.\.\/\.\.\/b/],
  ['a branch that is an option', text(option), option, /its branch cannot be "--force"/],
  ['a plan that is not in git', text({ ...started, planPlace: 'outside' }), started, /its plan is not in/],
  ['a journal without its start', text(archiving), started, /does not begin with its start/],
  ['what is no journal', 'x\n', started, noLine],
] as const)('%s is refused', async (_, journal, { plan, branch }, says) => {
  await using opened = await openTemp();
  const carried = { ...carriedOf(await opened.oid(), journal), plan, branch };
  await expect(readLaidOut(opened.repo, carried)).rejects.toThrow(says);
});

test('an earlier life that knows more is moved aside whole, since its numbers come again; one that knows no more is gone on with', () => {
  using top = makeTempFolder();
  const folder = path.join(top.path, 'run');
  const begun = (session: number) => ({ ...sampleFacts['session-started'], session });
  const common = text(started, begun(1));
  mkdirSync(path.join(folder, 'sessions'), { recursive: true });
  const recording = path.join(folder, 'sessions/001.ndjson');
  for (const number of [1, 2]) {
    writeFileSync(recording, String(number));
    writeFileSync(path.join(folder, 'snapshot'), 'old');
    writeFileSync(path.join(folder, 'journal.ndjson'), common + text(begun(2)));
    emptyFolder(folder, Buffer.from(common + text(begun(3))));
    const lefts = Array.from({ length: number }, (_, at) => `left-${at + 1}`);
    expect(readdirSync(folder).sort()).toEqual(['checks', ...lefts, 'sessions']);
    expect(readFileSync(path.join(folder, `left-${number}/sessions/001.ndjson`), 'utf8')).toBe(
      String(number),
    );
  }
  writeFileSync(recording, 'of the common part');
  writeFileSync(path.join(folder, 'journal.ndjson'), common);
  emptyFolder(folder, Buffer.from(common + text(begun(2))));
  expect(readdirSync(folder).sort()).toEqual(['checks', 'left-1', 'left-2', 'sessions']);
  expect(readFileSync(recording, 'utf8')).toBe('of the common part');
});

test('the worktree that the first machine names is none of this one, as the list of runs has it', async () => {
  await using opened = await openTemp();
  const { repo } = opened;
  const worktree = { path: '/home/victim/work', from: '/x', portOffset: 0 };
  const head = await opened.oid();
  const journal = text({ ...started, worktree });
  const carried = carriedOf(head, journal);
  const laidOut = await readLaidOut(repo, carried);
  const fact = { remote: 'origin', oid: head, head, from: { host: 'h', at: '' } };
  await layOut(repo, { laidOut, now: new Date(0), fact });
  expect(listRuns(repo.commonDir).map((run) => run.started.worktree)).toEqual([undefined]);
});

test('a run here that has the name by chance is not taken for the carried one', async () => {
  await using opened = await openTemp();
  const folder = path.join(opened.repo.commonDir, 'pawl/runs', started.run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'journal.ndjson'), text({ ...started, base: 'f'.repeat(40) }));
  const carried = carriedOf(await opened.oid(), text(started));
  await expect(readLaidOut(opened.repo, carried)).rejects.toThrow('another run here has the same name');
});

test('a branch of another run is not moved, nor one that a person has checked out in another tree', async () => {
  using world = makeWorld();
  await using opened = await openTemp();
  const { repo, temp, oid } = opened;
  const target = await oid();
  await temp.git('branch', 'plan');
  const carried = { ...carriedOf(target, ''), branch: 'plan' };
  const find = () => refuseBranch(repo, { ...carried, local: undefined }, target);
  await find();
  await temp.git('commit', '-q', '--allow-empty', '-m', 'of another run');
  await temp.git('branch', '-f', 'plan');
  await expect(find()).rejects.toThrow('the branch plan here is not that of run');
  const theirs = path.join(world.top, 'theirs');
  await temp.git('worktree', 'add', '-q', theirs, 'plan');
  await expect(find()).rejects.toMatchObject({
    message: `the branch plan is checked out in ${theirs}`,
    hint: expect.stringContaining(`git -C ${theirs} switch --detach`),
  });
});
