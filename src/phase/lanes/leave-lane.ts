// A lane between two tasks and at its end: brought to the branch's head, left by a task, given up where git cannot read it,
// removed once all tasks are closed.
import { Failure, needFailure } from '../../failure.ts';
import { isReadable, removeLane, setAside } from '../../git/lane/save-lane.ts';
import { findIgnoredWork, judgeIgnored } from '../../git/place/ignored-work.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { lookAtTree } from '../../git/tree/look.ts';
import { listDirt, listUntracked } from '../../git/tree/tree.ts';
import { isAway, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { saysSame, type Task } from '../../plan/plan.ts';
import { isSameTask, startOver } from '../../work/begin.ts';
import { findWork } from '../../work/kind/fix.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { writeEvidence } from '../../work/restart-files.ts';
import { writeTreeNow, writeWorkTree } from '../../work/tree/work-tree.ts';
import { stateOf } from '../../work/work.ts';
import { type EndedTask, emitEnd, takeOut } from '../end-task.ts';
import { moveLane, soundHeadOf } from './branch.ts';
import { givePlan } from './catch-up.ts';
import { headOf, type Lanes, laneFolder } from './lanes.ts';
import { placeLane } from './place-lane.ts';

export async function bringToHead(lanes: Lanes, lane: WorkPlace): Promise<void> {
  const { trunk } = lanes;
  const head = await soundHeadOf(lanes);
  const reason = 'what a lane held before its next task';
  const [from = '', own, tree = ''] = (
    await lane.repo.git(['rev-parse', 'HEAD', 'HEAD^{tree}', `${head}^{tree}`])
  ).split('\n');
  const known = (await writeTreeNow(lane)).tree;
  await moveLane(lane, { known, tree, commit: head, reason }, known === own ? from : undefined);
  givePlan(trunk, lane);
}

/** Gives a lane its task's current plan, and merges its work with what came along. */
export async function bringPlan(lane: WorkPlace, task: Task): Promise<void> {
  const plan = readPlanAt(lane);
  const work = findWork(lane, plan, task.id);
  if (!work || saysSame(work.task, task)) return;
  await lane.landing?.catchUp(work, await writeWorkTree(lane, work, 'session'));
}

/** A failed task is journaled only once no planner has changed the plan for it. */
export async function leaveLane(lane: WorkPlace, ended: EndedTask): Promise<EndedTask> {
  const { task, end } = ended;
  const state = stateOf(lane, task);
  const isOther = end.kind === 'dropped' && !isSameTask(readPlanAt(lane), state);
  if (isOther && state.start && !isAway(state))
    return { ...ended, rescue: await startOver(lane, state), isAside: true };
  const left = { ...ended, rescue: await takeOut(lane, ended, true), isAside: true } as const;
  if (end.kind !== 'failed') emitEnd(lane, left);
  return left;
}

export function isUsable({ repo, run }: Place): Promise<boolean> {
  return isReadable(repo, run.state().started.branch);
}

/**
 * A damaged git folder turns the attempt red: a person has nothing to fix. While closing it ends the run: the
 * next start checks whether the commit landed.
 */
export function loseLane(trunk: Place, number: number, task: TaskState, error: Failure): void {
  const { run } = trunk;
  const { id, counted, attemptsEver: attempt } = task;
  if (run.state().closing?.task === id) {
    const hint = `The same command starts task ${id} again, with what was saved of its work.`;
    throw new Failure(error.code, error.message, { hint });
  }
  const reason = error.message;
  const verdict = counted.length + 1 >= run.config.task.attempts ? 'fail' : 'again';
  const evidence = `An earlier session worked on this task and did not finish it: ${reason} Leave the git folder alone: without it the attempt is lost, with what it changed.`;
  writeEvidence(trunk, id, evidence);
  run.emit({ type: 'round-ended', task: id, attempt, verdict, reason, counts: true });
  giveUpLane(trunk, number, task);
}

/** Its task, unless failed, begins again in another lane, with its saved work. */
export function giveUpLane(trunk: Place, number: number, { id, start }: TaskState): void {
  const { run } = trunk;
  const aside = setAside(laneFolder(trunk, number));
  const what =
    aside === undefined
      ? `The folder of lane ${number} is gone`
      : `git cannot read lane ${number}, whose files are kept in ${aside}`;
  const { tasks, rescuesOf } = run.state();
  // A lane lost before its task began has none.
  const rescue = rescuesOf.get(number) ?? start?.rescue;
  const hasFailed = tasks.get(id)?.lastRound?.verdict === 'fail';
  const withWhat = rescue === undefined ? '' : ', with what was last saved of its work';
  const then = hasFailed ? '' : `: task ${id} starts again${withWhat}`;
  run.emit({ type: 'noticed', code: 'lane-gone', text: `${what}${then}` });
  if (rescue !== undefined) run.emit({ type: 'task-set-aside', task: id, as: 'open', reason: what, rescue });
  run.emit({ type: 'lane', state: 'closed', lane: number });
}

export async function closeLanes(lanes: Lanes): Promise<void> {
  const { trunk } = lanes;
  const { run } = trunk;
  for (const number of run.state().lanes.keys()) {
    const folder = laneFolder(trunk, number);
    const lane = placeLane(lanes, number);
    // A file that git cannot read holds up no run whose tasks are closed.
    const why = (await isUsable(lane))
      ? await saveLeft(trunk, lane).catch((error: unknown) => needFailure(error).message)
      : 'git cannot read it';
    const aside = why === undefined ? undefined : setAside(folder);
    if (aside !== undefined)
      run.emit({ type: 'noticed', code: 'lane-kept', text: `Lane ${number} is kept in ${aside}: ${why}` });
    removeLane(folder, () => run.emit({ type: 'lane', state: 'closed', lane: number }));
  }
}

/** Saves what is neither on the branch nor in the run's own tree. Returns why the lane is to stay. */
async function saveLeft(trunk: Place, lane: Place): Promise<string | undefined> {
  const { repo, index, run } = lane;
  const work = await findIgnoredWork(repo, trunk.repo.root);
  const tooMuch = judgeIgnored(work);
  if (tooMuch !== undefined) return tooMuch;
  const { files, tops } = work;
  if (files.length === 0 && !(await holdsMore(trunk, repo))) return undefined;
  const { ignored } = await lookAtTree(repo, index);
  const oid = await saveRescuePoint(lane, 'what a lane held at its end', { ignored: files });
  // Ignored files are held, are as in the run's own tree, or can be made again.
  const known = new Set(ignored.map(({ file }) => file));
  const saved = run.state().rescues.findLast((one) => one.oid === oid);
  const notHeld = (saved?.notHeld ?? []).map(({ file }) => file).filter((file) => !known.has(file));
  if (notHeld.length > 0) return `some of it cannot be saved: ${fewOf(notHeld)}`;
  if (tops.length === 0) return undefined;
  const show = `pawl rescue show ${oid.slice(0, 10)} --run ${run.id}`;
  const text = `What git ignores and only lane ${lane.lane?.number} had is saved (${fewOf(tops)}): ${show}`;
  run.emit({ type: 'noticed', code: 'lane-saved', text });
  return undefined;
}

async function holdsMore(trunk: Place, repo: Repo): Promise<boolean> {
  const files = [...(await listDirt(repo)), ...(await listUntracked(repo))];
  return files.length > 0 || !(await descends(repo, await readHeadCommit(repo), await headOf(trunk)));
}
