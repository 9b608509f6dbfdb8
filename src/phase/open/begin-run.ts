// Journals an opened run's start or resume with its budgets, and sets up branch and plan.
import { fixed } from '../../config/fixed.ts';
import { askCaps, type Caps } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import { switchBranch } from '../../git/place/branches.ts';
import type { WorkplaceFacts } from '../../git/place/workplace.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import { lookAtTree, newFiles, submoduleFiles } from '../../git/tree/look.ts';
import { isFileChanged } from '../../git/tree/status.ts';
import { listDirt } from '../../git/tree/tree.ts';
import { isOfToday } from '../../journal/day.ts';
import { listRuns, pruneRuns } from '../../journal/folder.ts';
import { readIfSound } from '../../journal/read-journal.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import { isOutput } from '../../work/guard/live-files.ts';
import { commitPlan } from './commit-plan.ts';
import { isAside } from './find-unfinished.ts';
import { type OpenRequest, refuseResume } from './may-open.ts';

export async function startRun(
  place: Place,
  request: OpenRequest,
  choice: { branch: string; create: boolean },
): Promise<void> {
  const { repo } = place;
  pruneOldRuns(repo.home, { keep: fixed.keptRuns, now: place.run.now() });
  const { untracked, planChanged } = request.workplace;
  place.run.emit({
    type: 'run-started',
    run: place.run.id,
    plan: place.plan.name,
    planPlace: place.plan.tracked ? 'tracked' : 'outside',
    branch: choice.branch,
    base: request.workplace.head,
    untracked: [...untracked],
    ...request.about,
  });
  setCaps(place, request.caps);
  await noteFound(place);
  // A review or dialogue changes neither branch nor plan.
  if (isAside(request.about)) return;
  if (request.newBranch)
    place.run.emit({ type: 'branch-created', branch: choice.branch, from: request.newBranch.from });
  await enterRunBranch(place, request.workplace, choice);
  // An existing branch may have another version of the plan.
  const isSame = choice.create || choice.branch === request.workplace.branch;
  if (isSame ? planChanged : await isFileChanged(repo, place.plan.name)) await commitPlan(place);
}

/** What is no session's: changes inside submodules from before the run, and what pawl itself prints into. */
async function noteFound(place: Place, { isFirst = true } = {}): Promise<void> {
  const look = await lookAtTree(place.repo, place.index);
  const known = new Set([...leftOutIn(place), ...untrackedIn(place)]);
  const outputs = newFiles(look).filter((file) => isOutput(place.repo.root, file));
  const files = [...(isFirst ? submoduleFiles(look) : []), ...outputs].filter((file) => !known.has(file));
  if (files.length > 0) place.run.emit({ type: 'files-made', files, by: 'start' });
}

/** What a person asked for holds until they ask again; settings are this start's. */
function setCaps(place: Place, { settings, asked }: Caps): void {
  const past = place.run.state().caps;
  place.run.emit({ type: 'budgets-set', settings: [...settings], asked: [...askCaps(past, asked).asked] });
}

export async function resumeRun(place: Place, past: RunState, request: OpenRequest): Promise<void> {
  const isElsewhere = await refuseResume(request, past);
  const { branch } = past.started;
  const locks = past.course.ended
    ? []
    : await removeLocks(place.repo, { branch, since: new Date(past.started.at) });
  const dirt = [...(await listDirt(place.repo))];
  const { pawl, worktree, ground } = request.about;
  const after = whyResumed(past);
  const where = { run: place.run.id, plan: place.plan.name, pawl, ground };
  const moved = worktree && worktree.path !== past.worktree?.path ? { worktree } : {};
  place.run.emit({ type: 'run-resumed', ...where, after, dirt, ...moved });
  for (const lock of locks) {
    const text = `a git that was ended left ${lock}; it was removed`;
    place.run.emit({ type: 'noticed', code: 'dead-lock', text });
  }
  setCaps(place, request.caps);
  if (after === 'stop')
    place.run.emit({ type: 'intervention', kind: 'rerun', text: 'the run was started again' });
  // A kill may have come before this was recorded.
  await noteFound(place, { isFirst: past.sessions.size === 0 });
  if (isAside(request.about)) return;
  if (isElsewhere) {
    const known = request.workplace.branches.get(branch);
    // It may be left from a start that was cut off, or gone again.
    const create = known ? past.branchFrom === undefined && known.relation === 'same' : true;
    await enterRunBranch(place, request.workplace, { branch, create });
  }
  if (!past.plan && (await isFileChanged(place.repo, place.plan.name))) await commitPlan(place);
}

async function enterRunBranch(
  place: Place,
  workplace: WorkplaceFacts,
  choice: { branch: string; create: boolean },
): Promise<void> {
  if (workplace.branch === choice.branch) return;
  await switchBranch(place.repo, choice);
  const from = workplace.branch ?? workplace.head;
  if (choice.create) place.run.emit({ type: 'branch-created', branch: choice.branch, from });
}

/** Why it had stopped. `drain`: a signal ended a job's run, so no person started it again. */
export function whyResumed(past: Pick<RunState, 'course' | 'carry'>): FactOf<'run-resumed'>['after'] {
  const { course, carry } = past;
  const { ended } = course;
  if (!ended) return 'crash';
  return carry?.job !== undefined && ended.exit === 143 ? 'drain' : 'stop';
}

export function pruneOldRuns(commonDir: string, { keep, now }: Readonly<{ keep: number; now: Date }>): void {
  const earlier = listRuns(commonDir).filter(({ folder }) => !isOfToday(folder, now));
  // Reading journals takes time.
  if (earlier.length <= keep) return;
  // One that cannot be read is never removed.
  const isDone = (folder: string) => {
    const state = readIfSound(folder);
    return state !== undefined && isFinished(state);
  };
  pruneRuns(earlier.map(({ folder }) => folder).filter(isDone), keep);
}
