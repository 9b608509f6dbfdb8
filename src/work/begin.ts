// Starts a task: runs its checks once, records what they depend on, saves a rescue point.
import type { Called } from '../check/called-files.ts';
import { digestText } from '../digest.ts';
import { readBlobs } from '../git/run/read-objects.ts';
import { isAway, isInWork, type TaskState } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { runSettledChecks } from './guard/check-writes.ts';
import { checksBefore, findWork } from './kind/fix.ts';
import { readOutsideFiles } from './outside.ts';
import { restoreStart, saveRescuePoint } from './rescue/rescue-point.ts';
import { isTreeOfHead, lookNow, noteLook, writeTreeNow } from './tree/work-tree.ts';
import { allChecks, callsOf, checksOf, stateOf, type Work } from './work.ts';

/** A restart keeps how a task began; one set aside begins anew. Undefined if interrupted first. */
export async function beginTask(place: Place, plan: Plan, task: Task): Promise<Work | undefined> {
  const known = isAway(stateOf(place, task)) ? undefined : findWork(place, plan, task.id);
  if (known && !isRenumbered(known)) return known;
  if (place.run.signal.aborted) return undefined;
  if (known) await startOver(place, stateOf(place, task));
  // In a lane, nobody else works.
  if (!place.lane) await setWorkAside(place, `task ${task.id} begins`, task);
  const called = callsOf(place, checksOf(place, plan, task));
  const others = callsOf(place, allChecks(place, plan));
  const look = await lookNow(place);
  const rescue = await saveRescuePoint(place, `before task ${task.id}`, { look });
  const own = checksBefore(place, plan, task);
  const end = await runSettledChecks(place, own, { when: 'before', task, look });
  const { runs, after = look } = end;
  if (end.cutShort) return undefined;
  const { tree } = await writeTreeNow(place, after);
  const held = await readBlobs(place.repo, tree, called.files);
  const untracked = called.files.filter((file) => !held.has(file));
  place.run.emit({
    type: 'task-started',
    task: task.id,
    title: task.title,
    titleHash: digestText(task.title),
    commit: after.head.commit ?? '',
    tree,
    rescue,
    red: runs.filter((run) => run.result !== 'green').map((run) => run.check.id),
    called: filesOf(called),
    calledByOthers: filesOf(others).filter((file) => !filesOf(called).includes(file)),
    outside: readOutsideFiles(place, called, untracked),
  });
  if (!end.isOutdated) noteLook(place, after);
  const begun = findWork(place, plan, task.id);
  if (!begun) throw new Error(`the start of task ${task.id} is not in the journal`);
  return begun;
}

/** An edited plan may give the number of a task in work to another. */
export function isRenumbered({ task, start }: Work): boolean {
  return digestText(task.title) !== start.titleHash;
}

export function isSameTask(plan: Plan, { id, start }: TaskState): boolean {
  return plan.tasks.some((task) => task.id === id && digestText(task.title) === start?.titleHash);
}

/** Work under the number's old task is kept in a rescue commit. */
export async function startOver(place: Place, { id, start }: TaskState): Promise<string | undefined> {
  if (!start) return undefined;
  const rescue = await restoreStart(place, { start }, `task ${id}: ${start.title}`);
  const detail = `the plan has another one by its number; the work on “${start.title}” is kept: pawl rescue show ${rescue.slice(0, 10)}`;
  place.run.emit({ type: 'task-reopened', task: id, by: 'hand', detail });
  return rescue;
}

const filesOf = ({ files, recipes }: Called): string[] => [...files, ...recipes];

/** Until it continues; a review or finalizing begins anew instead. `but`: whose stays. */
export async function setWorkAside(place: Place, why: string, but?: Task): Promise<void> {
  const { tasks, fixes } = place.run.state();
  const unfinished = [...fixes.values()].filter((fix) => fix.standing.is === 'open' && !fix.ended);
  for (const { id, start } of !but || tasks.has(but.id) ? unfinished : [])
    if (start) await restoreStart(place, { start }, `${id} was not finished`);
  for (const other of place.run.state().tasks.values()) {
    const { id, standing, start } = other;
    // A kill may have come before a tree was written of it.
    const isHere = mayBeInTree(other) || (!but && isInWork(other) && start?.lane === undefined);
    if (id === but?.id || !start || !isHere) continue;
    if (standing.is !== 'parked' && standing.is !== 'open' && standing.is !== 'skipped') continue;
    if (other.work.is !== 'leaving' && (await isTreeOfHead(place))) return;
    const rescue = await restoreStart(place, { start }, `task ${id} ${standing.is}`);
    const reason = standing.is === 'parked' ? standing.question : why;
    place.run.emit({ type: 'task-set-aside', task: id, as: standing.is, reason, rescue });
  }
}

/** Also if a kill came while its work was being taken out. */
function mayBeInTree(task: TaskState): boolean {
  const { start, tree, work } = task;
  if (!start || start.lane !== undefined || isAway(task)) return false;
  return work.is === 'leaving' || (tree !== undefined && tree !== start.tree);
}

/** The tree may hold what a task has not finished. */
export function isHeldByWork({ run }: Pick<Place, 'run'>): boolean {
  return [...run.state().tasks.values()].some((task) => task.standing.is !== 'closed' && mayBeInTree(task));
}
