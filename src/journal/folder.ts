// Where runs are stored: inside git's common folder, out of reach of `git add`, `git clean` and checkouts.
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createFolder, makeFolder, removeOwnFolder } from '../disk.ts';
import type { OwnWorktree } from '../event/run.ts';
import { type FactOf, readFact } from '../event.ts';
import type { Failure } from '../failure.ts';
import { findDamage } from './read-journal.ts';
import { journalFile, readFirstLine, runsFolder } from './run-files.ts';

/** By the folder's name and the journal's first line. */
export type RunFolder = Readonly<{ run: string; folder: string; started: FactOf<'run-started'>; at: Date }>;

/** What of a run folder others than its writers read, besides the journal. */
export const inRun = {
  /** The plan's bytes as a session was last given them. */
  plan: 'plan.md',
  sessions: 'sessions',
  checks: 'checks',
  report: 'report.md',
  /** Worktree of a run taken up here, or null: its journal's first line names another machine's. */
  taken: 'taken.json',
} as const;

/** Path of a session's files, without their extensions. */
export function sessionFile(folder: string, session: number): string {
  return path.join(folder, inRun.sessions, String(session).padStart(3, '0'));
}

/**
 * Named by time, plan and chance, e.g. `20261121-223005-add-cache-k3f9qx`. Sorts after all that are here, whatever the
 * clock says; unique on all machines, since it is the run's key on a remote and in a fleet.
 */
export function makeRunFolder(
  commonDir: string,
  now: Date,
  planName: string,
): { run: string; folder: string } {
  const runs = runsFolder(commonDir);
  makeFolder(runs, 0o700);
  for (;;) {
    const known = readdirSync(runs).flatMap((name) => /^\d{8}-\d{6}(?=-)/.exec(name)?.[0] ?? []);
    const chance = [...randomBytes(6)].map((byte) => base32[byte % 32]).join('');
    const run = `${nextStamp(stampOf(now), known)}-${planName}-${chance}`;
    const folder = path.join(runs, run);
    if (!createFolder(folder, 0o700)) continue;
    makeFolder(path.join(folder, inRun.sessions), 0o700);
    makeFolder(path.join(folder, inRun.checks), 0o700);
    return { run, folder };
  }
}

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function planInName(run: string): string {
  return run.slice(16).replace(/-[a-z2-7]{6}$/, '');
}

function stampOf(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

/** Now or, if a run has that or later, one second after the newest. */
function nextStamp(now: string, known: readonly string[]): string {
  const newest = known.reduce((a, b) => (a > b ? a : b), '');
  if (newest < now) return now;
  const iso = newest.replace(/^(....)(..)(..)-(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z');
  return stampOf(new Date(Date.parse(iso) + 1000));
}

/** Newest first, without those whose first line is unreadable. */
export function listRuns(commonDir: string): readonly RunFolder[] {
  return listRunFolders(commonDir)
    .map((folder) => path.basename(folder))
    .sort()
    .reverse()
    .flatMap((run) => readHead(run, path.join(runsFolder(commonDir), run)) ?? []);
}

/** Readable or not, unsorted; one whose journal is a link or device is not pawl's. */
export function listRunFolders(commonDir: string): readonly string[] {
  const runs = runsFolder(commonDir);
  if (!existsSync(runs)) return [];
  const folders = readdirSync(runs).map((run) => path.join(runs, run));
  return folders.filter(
    (folder) => lstatSync(path.join(folder, journalFile), { throwIfNoEntry: false })?.isFile() ?? true,
  );
}

/** Undefined if there is none: another pawl may have removed the run. */
export function statJournal(folder: string): Readonly<{ size: number; mtimeMs: number }> | undefined {
  return statSync(path.join(folder, journalFile), { throwIfNoEntry: false });
}

/** Branches of the other runs that wrote anything since then; a dialogue moves none. */
export function branchesOfOthers(commonDir: string, run: string, since: Date): ReadonlySet<string> {
  const beside = listRuns(commonDir).filter(
    (other) =>
      other.run !== run &&
      other.started.planning === undefined &&
      (statJournal(other.folder)?.mtimeMs ?? 0) >= since.getTime(),
  );
  return new Set(beside.map(({ started }) => started.branch));
}

/**
 * Why the newest of a plan with lines has no readable start, unless `known` is newer. A run that never began has no
 * lines.
 */
export function findUnreadable(
  commonDir: string,
  planName: string,
  known: RunFolder | undefined,
): Failure | undefined {
  return listRunFolders(commonDir)
    .filter((folder) => statJournal(folder) && planInName(path.basename(folder)) === planName)
    .filter((folder) => path.basename(folder) > (known?.run ?? '') && readHead('', folder) === undefined)
    .sort()
    .map(findDamage)
    .findLast((damage) => damage !== undefined);
}

/** Spares the first `keep`: folders are given newest first. */
export function pruneRuns(folders: readonly string[], keep: number): void {
  for (const folder of folders.slice(keep)) removeOwnFolder(folder);
}

function readHead(run: string, folder: string): RunFolder | undefined {
  try {
    const fact = readFact(JSON.parse(readFirstLine(path.join(folder, journalFile))));
    if (fact?.type !== 'run-started') return undefined;
    return { run, folder, started: inTakenTree(fact, folder), at: new Date(fact.at) };
  } catch {
    return undefined;
  }
}

/** For a run taken up here the tree made for it: the first machine's is not here. */
function inTakenTree<Started extends FactOf<'run-started'>>(fact: Started, folder: string): Started {
  const file = path.join(folder, inRun.taken);
  if (!existsSync(file)) return fact;
  const { worktree: _, ...started } = fact;
  const worktree = JSON.parse(readFileSync(file, 'utf8')) as OwnWorktree | null;
  return { ...started, ...(worktree ? { worktree } : {}) } as Started;
}
