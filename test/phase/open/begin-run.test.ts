// Which folders of earlier runs go when a new one begins: by what their journals say, told by whether they are still there.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { pruneOldRuns } from '../../../src/phase/open/begin-run.ts';
import { fact } from '../../helpers/facts.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const now = new Date(2026, 10, 22, 12, 0);
const yesterday = new Date(2026, 10, 21, 12, 0);

const over = fact('run-ended', { finished: true });

/** Runs from old to new by their names; all but today's were last written yesterday. */
const runs: Readonly<Record<string, readonly (Fact | string)[]>> = {
  '20261101-000000-stopped': [fact('run-ended', { finished: false })],
  '20261102-000000-undone-halfway': [over, fact('undo-started')],
  '20261103-000000-damaged': ['no line of a journal', over],
  '20261105-000000-done': [over],
  '20261107-000000-done-later': [over],
  '20261108-000000-today': [over],
};

function makeRuns(commonDir: string, which: (run: string) => boolean): string {
  const folder = path.join(commonDir, 'pawl', 'runs');
  for (const [run, facts] of Object.entries(runs)) {
    if (!which(run)) continue;
    const file = path.join(folder, run, 'journal.ndjson');
    mkdirSync(path.dirname(file), { recursive: true });
    const lines = [fact('run-started', { run }), ...facts].map((one) =>
      typeof one === 'string' ? one : JSON.stringify({ v: 10, at: yesterday.toISOString(), ...one }),
    );
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    if (!run.endsWith('today')) utimesSync(file, yesterday, yesterday);
  }
  return folder;
}

const all = () => true;
const done = (run: string) => /-done|today/.test(run);

test.each([
  [1, all, ['done']],
  [2, all, []],
  [20, all, []],
  // One more than are kept is one too many.
  [1, done, ['done']],
])('keep %d: never one of today, unfinished or unreadable goes', (keep, which, gone) => {
  using temp = makeTempFolder();
  const folder = makeRuns(temp.path, which);
  const before = readdirSync(folder);
  pruneOldRuns(temp.path, { keep, now });
  const left = new Set(readdirSync(folder));
  const missing = before.filter((run) => !left.has(run));
  expect(missing.map((run) => run.slice('20261101-000000-'.length)).sort()).toEqual(gone);
});
