// Which run a command means, and who works on it.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';
import { groundMark } from '../ground/git-folder.ts';
import { listRunFolders, listRuns, type RunFolder } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { findHolder, findHolders } from '../journal/lock.ts';
import { findDamage, readLastTime, readState } from '../journal/read-journal.ts';
import type { RunState } from '../journal/state.ts';
import { nearestPlan } from '../plan/plan-name.ts';
import type { CliContext } from './context.ts';
import { findPlace, findPlaceAt, isGround, outsideRepository, type Place } from './locate.ts';
import { namesIn, noRun, resolveRuns } from './resolve-word.ts';

/** Throws a Failure outside a repository. */
export function needPlace(context: CliContext): Place {
  const place = findPlace(context.cwd);
  if (place) {
    refuseLane(place);
    return place;
  }
  throw outsideRepository(context);
}

/** A lane looks like a clone, but belongs to a run. */
export function refuseLane({ root, gitDir }: Place): void {
  const mark = path.join(gitDir, groundMark);
  if (!existsSync(mark) || isGround({ gitDir })) return;
  const home = readFileSync(mark, 'utf8').trim();
  throw new Failure('preflight', `${root} is a lane of a run that works on ${home}`, {
    hint: `Change to ${home}: \`pawl status\` there says what the lane is for.`,
  });
}

/** Newest first. Without a word, all. Throws Failure('usage') for an ambiguous one. */
export function findRuns(context: CliContext, place: Place, word?: string): readonly RunFolder[] {
  const runs = listRuns(place.commonDir);
  if (word === undefined) return runs;
  const meant = new Set(resolveRuns(namesIn(context, place), word));
  return runs.filter(({ run }) => meant.has(run));
}

/** The live one in this working tree, else of each plan's newest the one with the latest fact. `runs`: newest first. */
export function findLastWorked(place: Place, runs: readonly RunFolder[]): RunFolder | undefined {
  const here = findHolder(place.gitDir)?.run;
  const live = runs.find(({ run }) => run === here);
  if (live || runs.length < 2) return live ?? runs[0];
  // A plan's older run is over, even if a clock was set back.
  const newest = runs.filter(
    ({ started }, at) => runs.findIndex((run) => run.started.plan === started.plan) === at,
  );
  const worked = newest.map((run) => ({ run, at: readLastTime(run.folder) ?? run.at.getTime() }));
  return worked.reduce((last, each) => (each.at > last.at ? each : last)).run;
}

/** The last worked on; if none matches, throws a Failure that lists what there is. */
export function needRun(context: CliContext, place: Place, word?: string): RunFolder {
  const found = findLastWorked(place, findRuns(context, place, word));
  if (found) return found;
  const runs = listRuns(place.commonDir);
  const damage = runs.length > 0 ? [] : listRunFolders(place.commonDir).map(findDamage);
  const none = new Failure('usage', `there is ${noRun(word)}`, { hint: hintFor(runs, word) });
  throw damage.find((each) => each !== undefined) ?? none;
}

function hintFor(runs: readonly RunFolder[], word = ''): string {
  const [newest] = runs;
  if (!newest) return 'Start one with `pawl run <plan>`.';
  const plans = runs.map(({ started }) => started.plan);
  const near = nearestPlan(word, plans);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return `${meant}The newest is ${newest.run} of ${newest.started.plan}; \`pawl status --all\` lists all.`;
}

export function readRun({ folder }: Pick<RunFolder, 'folder'>): RunState {
  const state = readState(folder);
  if (state) return state;
  throw new Failure('disk', `the journal in ${folder} is empty`);
}

/** Its own tree if that exists, else the one it is asked from. */
export function placeOfRun(place: Place, run: RunFolder): Place {
  // The journal's first line tells whether it ever had one.
  const path = run.started.worktree && readRun(run).worktree?.path;
  const own = path !== undefined && existsSync(path) ? findPlaceAt(realpathSync(path)) : undefined;
  return own?.commonDir === place.commonDir ? own : place;
}

/** In any working tree of the repository. */
export function findRunHolder(place: Place, run: string): Holder | undefined {
  return findLiveRuns(place).find(({ holder }) => holder.run === run)?.holder;
}

/** The repository's live pawls, this working tree's first. */
export function findLiveRuns(place: Place): ReturnType<typeof findHolders> {
  return findHolders(place.commonDir, place.gitDir);
}
