// Where runs live: one folder each inside git's common folder, so that no `git add`, `git clean` or checkout reaches it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeOwnFolder } from '../effect.ts';
import { type FactOf, readFact } from '../event.ts';
import { journalFile } from './journal.ts';

/** A run as its folder's name and first line tell it. */
export type RunFolder = Readonly<{ run: string; folder: string; started: FactOf<'run-started'>; at: Date }>;

/** Folder that holds all runs of a repository. */
export function runsFolder(commonDir: string): string {
  return path.join(commonDir, 'pawl', 'runs');
}

/** Makes the folder of a new run, named by time and plan, e.g. `20261121-223005-add-cache`; never an existing one. */
export function makeRunFolder(
  commonDir: string,
  now: Date,
  planName: string,
): { run: string; folder: string } {
  const runs = runsFolder(commonDir);
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  for (let number = 1; ; number += 1) {
    const run = `${stamp}-${planName}${number === 1 ? '' : `-${number}`}`;
    const folder = path.join(runs, run);
    if (existsSync(folder)) continue;
    makeFolder(folder, 0o700);
    makeFolder(path.join(folder, 'sessions'), 0o700);
    makeFolder(path.join(folder, 'checks'), 0o700);
    return { run, folder };
  }
}

/** All runs of a repository, newest first; folders without a readable first line are passed over. */
export function listRuns(commonDir: string): readonly RunFolder[] {
  const runs = runsFolder(commonDir);
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .sort()
    .reverse()
    .flatMap((run) => readHead(run, path.join(runs, run)) ?? []);
}

/** Removes run folders of finished runs beyond the newest `keep`. */
export function pruneRuns(folders: readonly string[], keep: number): void {
  for (const folder of folders.slice(keep)) removeOwnFolder(folder);
}

function readHead(run: string, folder: string): RunFolder | undefined {
  let line: string;
  try {
    line = readFileSync(path.join(folder, journalFile), 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    return undefined;
  }
  try {
    const fact = readFact(JSON.parse(line));
    if (fact?.type !== 'run-started') return undefined;
    return { run, folder, started: fact, at: new Date(fact.at) };
  } catch {
    return undefined;
  }
}
