// Which branches are other runs' to move: those of runs that wrote since, not of old ones, and not one's own.
import { utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { branchesOfOthers, makeRunFolder } from '../../src/journal/folder.ts';
import { Journal } from '../../src/journal/journal.ts';
import { journalFile } from '../../src/journal/run-files.ts';
import { fact } from '../helpers/facts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('of the runs beside, those that wrote since', () => {
  using top = makeTempFolder();
  const since = new Date('2026-03-01T00:00:00Z');
  const make = (branch: string, changed: string, more: object = {}): string => {
    const { run, folder } = makeRunFolder(top.path, since, branch);
    const journal = new Journal(folder);
    journal.append(fact('run-started', { run, branch, ...more }), since);
    journal.close();
    utimesSync(path.join(folder, journalFile), new Date(changed), new Date(changed));
    return run;
  };
  const own = make('own', '2026-03-01T01:00:00Z');
  make('beside', '2026-03-01T01:00:00Z');
  make('talk', '2026-03-01T01:00:00Z', { planning: { from: 'stdin' } });
  make('old', '2026-02-28T23:00:00Z');
  expect(branchesOfOthers(top.path, own, since)).toEqual(new Set(['beside']));
});
