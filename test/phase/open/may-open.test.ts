// Which branch a new run of a plan gets where earlier runs have left theirs, and by which name they know it.
import { expect, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { listRuns } from '../../../src/journal/folder.ts';
import { readState } from '../../../src/journal/read-journal.ts';
import type { RunState } from '../../../src/journal/state.ts';
import { findOpenRun, type UnfinishedRun } from '../../../src/phase/open/find-unfinished.ts';
import { chooseBranchFor, type OpenRequest, refuseChanged } from '../../../src/phase/open/may-open.ts';
import { fact } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { cleanWorkplace } from '../../helpers/workplace.ts';
import { writeRun } from '../../helpers/write-run.ts';

const workplace = {
  ...cleanWorkplace,
  branches: new Map([['add-cache', { relation: 'ahead' as const, worktree: undefined }]]),
};

const mine = '/r/docs/2026-01-02-add-cache.md';

const review = { base: 'main', reportOnly: false };

/** A folder with a run that began with these facts. */
function makeRun(started: Partial<FactOf<'run-started'>>, ...facts: readonly Fact[]) {
  const top = makeTempFolder();
  return { ...top, ...writeRun(top.path, started, ...facts) };
}

const wish = (home: string) => ({ base: { repo: { home }, config: {} } as never, planFile: mine, about: {} });

test.each([
  ['of the same plan, which git ignores, in a tree of its own', mine, {}, 'add-cache'],
  ['of the same plan: it goes on there', 'docs/2026-01-02-add-cache.md', {}, 'add-cache'],
  ['of another plan of that title: it gets its own', 'docs/2025-12-01-add-cache.md', {}, 'add-cache-2'],
  ['of a review, which has none of its own', 'docs/2025-12-01-add-cache.md', { review }, 'add-cache'],
])('a branch %s', (_, plan, more, wanted) => {
  using top = makeRun({ plan, branch: 'add-cache', ...more });
  const choice = chooseBranchFor({ ...wish(top.path), workplace });
  expect(choice).toEqual({ branch: wanted, create: wanted === 'add-cache-2' });
});

test.each([
  ['that the run of another plan made is not the next plan’s', true, { branch: 'add-cache', create: true }],
  ['of a person’s own, on which another plan ran, is worked on', false, { branch: 'limits', create: false }],
])('a branch checked out %s', (_, wasMade, wanted) => {
  using top = makeRun(
    { plan: 'docs/limits.md', branch: 'limits' },
    ...(wasMade ? [fact('branch-created', { branch: 'limits', from: 'main' })] : []),
  );
  const limits = { relation: 'ahead', worktree: undefined } as const;
  const there = { ...cleanWorkplace, branch: 'limits', branches: new Map([['limits', limits]]) };
  const choice = chooseBranchFor({ ...wish(top.path), workplace: there });
  expect(choice).toEqual(wanted);
});

test('an ignored plan is known by its whole path where it had a tree of its own', () => {
  using top = makeRun({ plan: '/r/notes/x.md' });
  const home = { root: '/r', commonDir: top.path };
  expect(findOpenRun(home, '/r/notes/x.md')).toMatchObject({ run: top.run });
});

const end = fact('run-ended', { exit: 0, finished: true });

test.each<[string, Partial<FactOf<'run-started'>>, readonly Fact[], boolean, string]>([
  ['nothing', {}, [], false, ''],
  ['it ended', {}, [end], false, 'ended meanwhile'],
  ['a newer one began', {}, [], true, 'was begun meanwhile'],
  ['its review ended', { review }, [end], false, 'ended meanwhile'],
  ['another review began', { review }, [], true, 'was begun meanwhile'],
])('the run that a start was to continue, and meanwhile %s', (_, more, facts, isNewer, says) => {
  using top = makeTempFolder();
  const about = { plan: 'docs/add-cache.md', branch: 'add-cache', ...more };
  const begin = (hour: number) => writeRun(top.path, { at: new Date(hour * 3_600_000), ...about });
  const { append } = begin(0);
  const base = { repo: { home: top.path, root: '/r' } };
  const given = { base, planFile: '/r/docs/add-cache.md', workplace: { branch: 'add-cache' }, about };
  const request = (open: UnfinishedRun | undefined, fresh = false) =>
    ({ ...given, open, fresh }) as unknown as OpenRequest;
  const [newest] = listRuns(top.path);
  const open = newest && { ...newest, state: readState(newest.folder) as RunState };
  const ask = () => refuseChanged(request(open));
  ask();
  append(facts);
  if (isNewer) begin(1);
  if (says === '') ask();
  else expect(ask).toThrow(says);
  // One who begins anew continues none; one for whom there was none must not begin beside one.
  refuseChanged(request(undefined, true));
  if (facts.length === 0) expect(() => refuseChanged(request(undefined))).toThrow('was begun meanwhile');
});
