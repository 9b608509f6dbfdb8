// The grounds and lanes in pawl's state folder, and why one stays.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { goneMark } from '../../git/lane/save-lane.ts';
import { groundMark } from '../../ground/git-folder.ts';
import { isPassing } from '../../ground/in-ground.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { listGrounds, type RegisteredGround } from '../../journal/grounds.ts';
import { findHolder, findHolders } from '../../journal/lock.ts';
import { readIfSound } from '../../journal/read-journal.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { orElse } from '../../or-else.ts';
import { findNewer } from '../../phase/open/find-unfinished.ts';
import type { CliContext } from '../context.ts';
import { isGround } from '../locate.ts';
import { groundsOf } from './make-own.ts';

/** Without `state` if its journal cannot be read. `isReplaced`: a newer run of its plan was begun instead. */
export type GroundRun = RunFolder &
  Readonly<{ worktree: OwnWorktree | undefined; state: RunState | undefined; isReplaced: boolean }>;

export type GroundFolder = Readonly<{
  root: string;
  lane?: number;
  run?: GroundRun;
  registered?: RegisteredGround;
}>;

export function listGroundFolders(context: CliContext, home: string): readonly GroundFolder[] {
  const all = groundsOf(context.folders.state, home);
  const runs = readRuns(home);
  const registered = listGrounds(home);
  return readNames(all).flatMap((above) =>
    readNames(path.join(all, above)).map((name) => {
      const root = path.join(all, above, name);
      const lane = numberOfLane(root);
      const run = runs.find(({ run, worktree }) => run === above || worktree?.path === root);
      const known = registered.find((each) => each.root === root);
      return { root, ...defined({ lane, run, registered: known }) };
    }),
  );
}

function readRuns(home: string): readonly GroundRun[] {
  return listRuns(home).map((one, _, runs) => {
    const state = readIfSound(one.folder);
    const worktree = state?.worktree ?? one.started.worktree;
    return { ...one, worktree, state, isReplaced: findNewer(runs, one) !== undefined };
  });
}

function numberOfLane(root: string): number | undefined {
  const gitDir = path.join(root, '.git');
  if (!existsSync(path.join(gitDir, groundMark)) || isGround({ gitDir })) return undefined;
  return Number(/-(\d+)(?:\.aside(?:-\d+)?)?$/.exec(root)?.[1] ?? 0);
}

/** Half removed, or made to be looked at. */
export function isWorthless({ root }: GroundFolder): boolean {
  return root.endsWith(goneMark) || isPassing(path.basename(root));
}

/** By its run and who is at work; undefined if neither keeps it. */
export function whyItStays(home: string, { root, run, registered }: GroundFolder): string | undefined {
  if (registered?.maker) return `pawl (process ${registered.maker.pid}) is making it`;
  const own = findHolder(path.join(root, '.git'));
  const holder = own ?? findHolders(home).find((each) => each.holder.run === run?.run)?.holder;
  if (holder) return `pawl (process ${holder.pid}) works in it`;
  if (!run || (run.state && (run.isReplaced || isFinished(run.state)))) return undefined;
  return `run ${run.run} is not finished`;
}

/** Bytes of all files below it; unreadable ones do not count. */
export function sizeOf(folder: string): number {
  return readNames(folder).reduce((sum, name) => {
    const stat = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (!stat) return sum;
    return sum + (stat.isDirectory() ? sizeOf(path.join(folder, name)) : stat.size);
  }, 0);
}

export function readNames(folder: string): readonly string[] {
  return orElse(() => readdirSync(folder), []);
}
