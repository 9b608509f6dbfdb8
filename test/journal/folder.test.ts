// Where runs live, in which order they are listed, and which are removed.
import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  branchesOfOthers,
  findUnreadable,
  listRuns,
  makeRunFolder,
  planInName,
  pruneRuns,
} from '../../src/journal/folder.ts';
import { Journal } from '../../src/journal/journal.ts';
import { journalFile, runsFolder } from '../../src/journal/run-files.ts';
import { fact } from '../helpers/facts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const now = new Date('2026-11-21T22:30:05.999Z');

function begin(commonDir: string, at: Date, title: string): string {
  const { run, folder } = makeRunFolder(commonDir, at, 'auth');
  using journal = new Journal(folder);
  journal.append(fact('run-started', { run, title, untracked: [] }), at);
  journal.append(fact('plan-read'), at);
  return run;
}

it('is named by time, plan and chance, private, and never an existing one', () => {
  using temp = makeTempFolder();
  const made = [1, 2, 3].map(() => makeRunFolder(temp.path, now, 'auth'));
  expect(made.map(({ run }) => run.slice(0, -6))).toEqual([
    '20261121-223005-auth-',
    '20261121-223006-auth-',
    '20261121-223007-auth-',
  ]);
  for (const { folder } of made) {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(existsSync(path.join(folder, 'sessions')) && existsSync(path.join(folder, 'checks'))).toBe(true);
  }
});

it('has another name on each machine, in the same second of the same plan', () => {
  using here = makeTempFolder();
  using there = makeTempFolder();
  const names = [here, there].map(({ path: commonDir }) => makeRunFolder(commonDir, now, 'auth').run);
  expect(names[0]).not.toBe(names[1]);
  expect(names.map(planInName)).toEqual(['auth', 'auth']);
});

it('is never older by its name than one that is there, whatever the clock says', () => {
  using temp = makeTempFolder();
  const first = begin(temp.path, now, 'first');
  const back = new Date(now.getTime() - 3_600_000);
  const second = begin(temp.path, back, 'second');
  const third = begin(temp.path, back, 'third');
  expect([second, third].map((run) => run.slice(0, 15))).toEqual(['20261121-223006', '20261121-223007']);
  const many = Array.from({ length: 11 }, (_, at) =>
    begin(temp.path, new Date('2026-12-31T23:59:59Z'), `${at}`),
  );
  const listed = listRuns(temp.path).map(({ run }) => run);
  expect(listed).toEqual([...many.toReversed(), third, second, first]);
});

it('finds a newer run of the plan whose lines cannot be read, and none that never began', () => {
  using temp = makeTempFolder();
  const known = begin(temp.path, now, 'known');
  const spoil = (text: string, plan = 'auth') => {
    const { folder } = makeRunFolder(temp.path, new Date(now.getTime() + 1_000), plan);
    writeFileSync(path.join(folder, journalFile), text);
    return folder;
  };
  const last = listRuns(temp.path).find(({ run }) => run === known);
  const find = () => findUnreadable(temp.path, 'auth', last);
  spoil('');
  spoil('\0\0\0\0');
  spoil('{"torn');
  spoil('nonsense\n', 'other');
  expect(find()).toBeUndefined();
  const broken = spoil('\0\0\n');
  expect(find()?.message).toContain(broken);
  begin(temp.path, new Date(now.getTime() + 60_000), 'newer');
  expect(findUnreadable(temp.path, 'auth', listRuns(temp.path)[0])).toBeUndefined();
});

it('lists runs newest first and passes over what is none', () => {
  using temp = makeTempFolder();
  expect(listRuns(temp.path)).toEqual([]);
  const long = 'x'.repeat(200_000);
  const first = begin(temp.path, now, 'first');
  const second = begin(temp.path, new Date(now.getTime() + 60_000), long);
  makeRunFolder(temp.path, now, 'without-journal');
  const broken = makeRunFolder(temp.path, now, 'broken');
  writeFileSync(path.join(broken.folder, journalFile), '{"torn');
  mkdirSync(path.join(runsFolder(temp.path), 'zzz'));
  const runs = listRuns(temp.path);
  expect(runs.map(({ run }) => run)).toEqual([second, first]);
  expect(runs[0]?.started.title).toBe(long);
  expect(runs[1]?.at).toEqual(now);
});

it('removes what lies beyond the newest few', () => {
  using temp = makeTempFolder();
  const folders = [1, 2, 3].map(() => makeRunFolder(temp.path, now, 'auth').folder);
  pruneRuns(folders, 2);
  expect(folders.map((folder) => existsSync(folder))).toEqual([true, true, false]);
});

it('tells the branches of other runs that wrote since', () => {
  using top = makeTempFolder();
  const since = new Date('2026-03-01T00:00:00Z');
  const make = (branch: string, changed: string, more: object = {}): string => {
    const { run, folder } = makeRunFolder(top.path, since, branch);
    using journal = new Journal(folder);
    journal.append(fact('run-started', { run, branch, ...more }), since);
    utimesSync(path.join(folder, journalFile), new Date(changed), new Date(changed));
    return run;
  };
  const own = make('own', '2026-03-01T01:00:00Z');
  make('beside', '2026-03-01T01:00:00Z');
  make('talk', '2026-03-01T01:00:00Z', { planning: { from: 'stdin' } });
  make('old', '2026-02-28T23:00:00Z');
  expect(branchesOfOthers(top.path, own, since)).toEqual(new Set(['beside']));
});
