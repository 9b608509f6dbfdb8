// Whether a run can be opened here, and on which branch: before a delayed start waits, and then under the lock.
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { type BranchChoice, chooseBranch } from '../../git/place/choose-branch.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import { listRuns } from '../../journal/folder.ts';
import { hasOpenSession, type RunState } from '../../journal/state.ts';
import { branchName } from '../../plan/plan-name.ts';
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
import type { OpenRequest } from './open-request.ts';

type Request = Pick<
  OpenRequest,
  'base' | 'planFile' | 'workplace' | 'options' | 'about' | 'fresh' | 'goesOn'
>;

export function findOpenFor({
  base,
  planFile,
  workplace,
  about,
  fresh,
  goesOn,
}: Request): UnfinishedRun | undefined {
  if (fresh) return undefined;
  const runs = listRuns(base.repo.home);
  if (about.planning) return goesOn === undefined ? undefined : findOpenDialogue(runs, goesOn);
  return about.review
    ? findOpenReview(runs, { branch: workplace.branch ?? '', asked: about.review })
    : findOpenRun(runs, namePlan(base.repo.root, planFile));
}

export function chooseBranchFor({ base, planFile, workplace, about }: Request): BranchChoice | Failure {
  // A review looks at what is checked out, under whatever name.
  if (isAside(about)) return { branch: workplace.branch ?? '', create: false };
  const { home: commonDir } = base.repo;
  return choosePlanBranch(workplace, {
    commonDir,
    planFile,
    branch: base.config.branch,
    ownBeside: undefined,
  });
}

/** `ownBeside` as in `chooseBranch`. */
export function choosePlanBranch(
  workplace: WorkplaceFacts,
  {
    commonDir,
    planFile,
    branch,
    ownBeside,
  }: Readonly<{
    commonDir: string;
    planFile: string;
    branch: string | undefined;
    ownBeside: ReadonlySet<string> | undefined;
  }>,
): BranchChoice | Failure {
  const plan = { root: workplace.root, file: planFile };
  const runs = listRuns(commonDir);
  const isOthers = workplace.branch !== undefined && wasMadeForOther(runs, workplace.branch, plan);
  return chooseBranch(workplace, {
    planBranch: branchName(planFile),
    others: branchesOfOthers(runs, plan),
    ...defined({ ownBeside: ownBeside ?? (isOthers ? new Set<string>() : undefined), branch }),
  });
}

/** Throws what prevents a resume; true if the branch, still without work, has to be checked out. */
export async function refuseResume({ base, workplace, about }: Request, past: RunState): Promise<boolean> {
  if (past.undoing) throw inAnUndo(past.undoing.task);
  if (isAside(about)) return false;
  // A cut-off session may have left HEAD anywhere: `reconcile` restores it.
  const isCut = hasOpenSession(past);
  const isElsewhere = !isCut && workplace.branch !== past.started.branch;
  if (isElsewhere && past.tasks.size > 0)
    throw await elsewhere({ repo: base.repo, state: past, current: workplace.branch });
  return isElsewhere;
}

function inAnUndo(task: string): Failure {
  return new Failure('preflight', `an undo of task ${task} was interrupted`, {
    hint: `\`pawl undo ${task}\` finishes it.`,
  });
}
