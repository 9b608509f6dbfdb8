// `pawl status --line`: the last run in one line, for prompts: without schemas, which load too slowly; empty on any
// error.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Fact, Stamped } from '../event.ts';
import { isAlive } from '../journal/alive.ts';
import { foldRun } from '../journal/fold.ts';
import type { Holder } from '../journal/holder.ts';
import { journalFile, lockFile, otherGitDirs, runsFolder } from '../journal/run-files.ts';
import { formatStatusLine } from '../report/status/one-line.ts';
import { viewRun } from '../report/view/view-run.ts';
import { findPlace, type Place } from '../start/locate.ts';
import { namesIn, resolveRuns } from '../start/resolve-word.ts';

/** Empty if there is nothing to report. */
export function readStatusLine(cwd: string, now: Date, word?: string): string {
  try {
    const place = findPlace(cwd);
    const folder = place && findNewest(cwd, place, word);
    const state = folder && foldRun(readFacts(folder));
    if (!place || !state) return '';
    return formatStatusLine(
      viewRun(state, { holder: findHolder(place, folder, state.started.run) }),
      now.getTime(),
    );
  } catch {
    return '';
  }
}

/** The last written. Only a word needs the runs' names, which are in their journals. */
function findNewest(cwd: string, place: Place, word: string | undefined): string | undefined {
  const all = runsFolder(place.commonDir);
  const runs = word === undefined ? readdirSync(all) : resolveRuns(namesIn({ cwd }, place), word);
  const written = runs.flatMap((run) => {
    const folder = path.join(all, run);
    const found = statSync(path.join(folder, journalFile), { throwIfNoEntry: false });
    return found ? [{ folder, at: found.mtimeMs }] : [];
  });
  return written.toSorted((a, b) => b.at - a.at)[0]?.folder;
}

/** What follows the last newline is torn. */
function readFacts(folder: string): readonly Stamped<Fact>[] {
  const lines = readFileSync(path.join(folder, journalFile), 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Stamped<Fact>);
}

/** In any working tree. */
function findHolder({ commonDir, gitDir }: Place, folder: string, run: string): Holder | undefined {
  const all = new Set([gitDir, commonDir, folder, ...otherGitDirs(commonDir)]);
  return [...all]
    .map(lockFile)
    .filter((file) => statSync(file, { throwIfNoEntry: false }))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Holder)
    .find((holder) => holder.run === run && isAlive(holder));
}
