// Whether a run can be opened here, and on which branch: before a delayed start waits, and then under the lock.
import { defined } from '../../defined.ts';
import type { Caps } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { type BranchChoice, chooseBranch } from '../../git/place/choose-branch.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import type { Repo } from '../../git/run/repo.ts';
import { listRuns } from '../../journal/folder.ts';
import { openSessions, type RunListener, type RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Run, RunOptions } from '../../place/run.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed } from '../../plan/plan.ts';
import { branchName } from '../../plan/plan-name.ts';
import { shellWord } from '../../shell-word.ts';
import { elsewhere } from '../../work/on-branch.ts';
import {
  branchesOfOthers,
  findOpenDialogue,
  findOpenReview,
  findOpenRun,
  isAside,
  namePlan,
  type UnfinishedRun,
  wasMadeForOther,
} from './find-unfinished.ts';

type Request = Pick<OpenRequest, 'base' | 'planFile' | 'workplace' | 'about' | 'open' | 'fresh'>;

/** Under the lock: a person may have taken minutes over a question since the start was decided. */
export function refuseChanged(request: Request): void {
  const { open } = request;
  const now = findOpenNow(request);
  if (now?.run === open?.run) return;
  const says = now ? `run ${now.run} was begun meanwhile` : `run ${open?.run} ended meanwhile`;
  throw new Failure('locked', says, { hint: 'Run the same command again.' });
}

function findOpenNow({ base, planFile, workplace, about, open, fresh }: Request): UnfinishedRun | undefined {
  if (fresh) return undefined;
  const { root, home: commonDir } = base.repo;
  if (about.planning) return open && findOpenDialogue(listRuns(commonDir), open.run);
  return about.review
    ? findOpenReview(listRuns(commonDir), workplace, about.review)
    : findOpenRun({ root, commonDir }, planFile);
}

type BranchWish = Pick<Request, 'planFile' | 'workplace'> &
  Readonly<{ base: Pick<Base, 'repo' | 'config'>; about: Parameters<typeof isAside>[0] }>;

/** `isApart` as in `chooseBranch`. */
export function chooseBranchFor(
  { base, planFile, workplace, about }: BranchWish,
  { isApart = false }: Readonly<{ isApart?: boolean }> = {},
): BranchChoice {
  const { branch } = workplace;
  // A review looks at what is checked out, under whatever name.
  if (isAside(about)) return { branch: branch ?? '', create: false };
  const plan = { root: workplace.root, file: planFile };
  const runs = listRuns(base.repo.home);
  const isOthers = branch !== undefined && wasMadeForOther(runs, branch, plan);
  return chooseBranch(workplace, {
    planBranch: branchName(planFile),
    others: branchesOfOthers(runs, plan),
    isApart: isApart || isOthers,
    ...defined({ branch: base.config.branch }),
  });
}

/** Throws what prevents a resume; true if the branch, still without work, has to be checked out. */
export async function refuseResume({ base, workplace, about }: Request, past: RunState): Promise<boolean> {
  if (past.undoing) throw inAnUndo(past.undoing.task);
  if (isAside(about)) return false;
  // A cut-off session may have left HEAD anywhere: `reconcile` restores it.
  const isCut = openSessions(past).length > 0;
  const isElsewhere = !isCut && workplace.branch !== past.started.branch;
  if (isElsewhere && past.tasks.size > 0)
    throw await elsewhere({ repo: base.repo, state: past, current: workplace.branch });
  return isElsewhere;
}

export function inAnUndo(task: string): Failure {
  return new Failure('preflight', `an undo of task ${task} was interrupted`, {
    hint: `\`pawl undo ${task}\` finishes it.`,
  });
}

export async function refuseClosedThere(
  repo: Repo,
  { workplace, planFile }: Readonly<{ workplace: WorkplaceFacts; planFile: string }>,
  { branch, create }: BranchChoice,
): Promise<void> {
  const name = namePlan(workplace.root, planFile);
  if (create || branch === workplace.branch || workplace.planIgnored || name === planFile) return;
  const [here, there] = await Promise.all(
    ['HEAD', `refs/heads/${branch}`].map(async (tree) => (await readBlobs(repo, tree, [name])).get(name)),
  );
  const isGone = there === undefined && here !== undefined;
  if (!isGone && !(there !== undefined && parsePlan(there, planFile).tasks.every(isClosed))) return;
  const how = isGone ? 'which no longer has that file' : 'where all its tasks are closed';
  const what = `${name} is open here, on ${workplace.branch}, but the run would work on the branch ${branch}, ${how}`;
  throw new Failure('preflight', what, {
    hint: `To get what was done there: \`git merge ${shellWord(branch)}\`. To do it again: \`pawl run --branch ${shellWord(`${branch}-2`)} ${shellWord(name)}\``,
  });
}

/** Before there is a journal. */
export type Base = Omit<Place, 'run' | 'plan' | 'index' | 'lane' | 'home'> &
  Omit<Run, 'id' | 'folder' | 'emit' | 'state' | 'mask' | 'wake' | 'today' | 'options'>;

export type OpenRequest = Readonly<{
  base: Base;
  /** Absolute. A review without a plan gets a file of this name in the run's folder. */
  planFile: string;
  /** That file's text: what the reviewed change is about; absent if the file exists. */
  goal?: string;
  workplace: WorkplaceFacts;
  about: Omit<FactOf<'run-started'>, 'type' | 'run' | 'plan' | 'planPlace' | 'branch' | 'base' | 'untracked'>;
  home?: Repo;
  /** Made for this run's ground. */
  newBranch?: Readonly<{ branch: string; from: string }>;
  caps: Caps;
  options: Omit<RunOptions, 'left'>;
  /** The unfinished run that it continues, as it was when that was decided. */
  open: UnfinishedRun | undefined;
  /** Asked to begin anew, whatever is unfinished. */
  fresh: boolean;
  /** Where it listens for commands; absent: nowhere. */
  socket?: string | undefined;
  mask: (text: string) => string;
  show: RunListener;
}>;
