// Reads what a run or task has changed, as git shows it, but by no program of the repository.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeOwnFolder } from '../disk.ts';
import { Failure } from '../failure.ts';
import { isNoRef } from '../git/place/branches.ts';
import { readHead } from '../git/protect/snapshot.ts';
import { replaceIndex } from '../git/tree/index-file.ts';
import { listIndex, submoduleMode } from '../git/tree/tree-entry.ts';
import { matchesAny } from '../glob.ts';
import type { RunFolder } from '../journal/folder.ts';
import { findWorkState, type RunState } from '../journal/state.ts';
import { closeOf } from '../journal/task-state.ts';
import { headLeft } from '../work/on-branch.ts';
import type { CliContext } from './context.ts';
import { placeOfRun, readRun } from './find-run.ts';
import { findPlaceAt, type Place } from './locate.ts';
import { openPlainRepo } from './open-place.ts';

const safely = ['diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];

/** `look`: more words for git, on how to show it; default: in one form, whatever a person has set. */
export type DiffWish = Readonly<{
  place: Place;
  run: RunFolder;
  task?: string | undefined;
  look?: readonly string[];
}>;

const plainly = ['--no-color', '--src-prefix=a/', '--dst-prefix=b/'];

export async function readDiff(context: CliContext, { place, run, task, look }: DiffWish): Promise<string> {
  const state = readRun(run);
  const lane = task === undefined ? undefined : findLane(state, task);
  // What a closed task came to is at home; the run's own ground may be about to go.
  const known = findWorkState(state, task);
  const tree = known && closeOf(known) ? place : (lane?.tree ?? placeOfRun(place, run));
  const { branch } = run.started;
  const isHere = lane !== undefined || readHead(tree).branch === branch;
  const ref = `refs/heads/${branch}`;
  // Merged and deleted, its commits are there all the same.
  const end = isNoRef(tree, ref) ? headLeft(state) : ref;
  const commits = commitsOf(state, task, isHere ? undefined : end);
  const args = [...safely, ...(look ?? plainly), ...commits, '--'];
  const repo = await openPlainRepo(context, tree);
  if (commits.length > 1) return repo.git(args);
  // New files but others' are work: listed in an index that is thrown away.
  const others = lane?.leftOut ?? [...state.started.untracked, ...(state.leftOut.get(0) ?? [])];
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-diff-'));
  try {
    const index = path.join(folder, 'index');
    replaceIndex(path.join(repo.gitDir, 'index'), index);
    // To add one git would look into it, and run by its settings.
    const links = (await listIndex(repo, index)).filter(({ mode }) => mode === submoduleMode);
    const left = [...others, ...links.map(({ file }) => file)];
    const input = ['.', ...left.map((file) => `:(exclude,literal,top)${file}`)].join('\0');
    await repo.write('index of difference', addNew, { index, input });
    return await repo.git(args, { index });
  } finally {
    removeOwnFolder(folder);
  }
}

const addNew = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];

/** Of `names` those outside the task's `files:`; none without. */
export function listOutside(
  state: RunState | undefined,
  task: string | undefined,
  names: readonly string[],
): readonly string[] {
  const globs = state?.plan?.tasks.find(({ id }) => id === task)?.files;
  return globs ? names.filter((name) => name !== state?.started.plan && !matchesAny(name, globs)) : [];
}

function findLane(
  { lanes, sessions, leftOut, tasks }: RunState,
  task: string,
): Readonly<{ tree: Place; leftOut: readonly string[] }> | undefined {
  const last = [...sessions.values()].findLast(({ started }) => started.task === task);
  const isClosed = tasks.get(task)?.standing.is === 'closed';
  const lane = isClosed ? undefined : lanes.get(last?.started.lane ?? 0);
  const tree = lane && findPlaceAt(lane.folder);
  return tree && { tree, leftOut: leftOut.get(lane.lane) ?? [] };
}

export function noSuchTask({ started, tasks }: RunState, id: string): Failure {
  if (tasks.size === 0) return new Failure('usage', `the run ${started.run} has no tasks`);
  return new Failure('usage', `there is no task ${id} in ${started.plan}`, {
    hint: `It has ${[...tasks.keys()].join(', ')}.`,
  });
}

/** Without an `end` up to the uncommitted changes. `id`: a task; else the whole run. */
function commitsOf(state: RunState, id: string | undefined, end: string | undefined): readonly string[] {
  const { base } = state.started;
  if (id === undefined) return end === undefined ? [base] : [base, end];
  const task = findWorkState(state, id);
  if (!task) throw noSuchTask(state, id);
  const { oid } = closeOf(task) ?? {};
  if (oid !== undefined) return [`${oid}^`, oid];
  // In a lane, what landed has been merged into the work.
  if (task.start && end === undefined) return [task.lane?.merges.at(-1)?.onto ?? task.start.commit];
  throw new Failure('usage', `task ${id} has changed nothing here yet`, {
    hint: '`pawl status` says where the run stands; `pawl rescue list` shows work that was set aside.',
  });
}
