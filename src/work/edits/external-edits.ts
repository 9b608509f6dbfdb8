// Reads the plan for the next round; accepts or refuses what a person changed between two sessions, which never counts
// as a session's work.
import path from 'node:path';
import { classify } from '../../check/classes.ts';
import { defined, ifAny } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import { removeFile } from '../../disk.ts';
import { commandAgain } from '../../event/again.ts';
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { fewOf } from '../../git/run/names.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { type Look, lookAtTree, newFiles } from '../../git/tree/look.ts';
import type { RunState } from '../../journal/state.ts';
import { isTaskClosed } from '../../journal/task-state.ts';
import { orElse } from '../../or-else.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import type { LeftTree } from '../../place/run.ts';
import { readPlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, type Plan, saysSame, type Task, untrackedBoxes, wordsOf } from '../../plan/plan.ts';
import { isPlanFile } from '../../plan/plan-name.ts';
import { withoutManualMark } from '../../plan/steps.ts';
import { findWork } from '../kind/fix.ts';
import type { WorkPlace } from '../landing.ts';
import { readPlanAt } from '../plan/plan-snapshot.ts';
import { keptPlan } from '../restart-files.ts';
import { writeTreeNow, writeWorkTree } from '../tree/work-tree.ts';
import { allChecks, callsOf, checksOf, type Work } from '../work.ts';

const mostNames = 12;

/** `told`: to emit once the run continues. */
type Accepted = Readonly<{ edits: Edits; told: readonly string[] }>;

/**
 * What differs from HEAD goes to the open task, after a stop only with `takeEdits`; what is committed or
 * reverted is only reported. `edits` has all, the plan's too.
 */
export async function acceptEdits(
  place: Place,
  left: LeftTree | undefined,
  { isRest = false } = {},
): Promise<Accepted | undefined> {
  if (!left) return undefined;
  // A person may have made the checkout sparse, or whole: only their index tells.
  removeFile(place.index);
  const look = await lookAtTree(place.repo, place.index);
  await noteOthersPlans(place, left.tree, look);
  const { tree: to, refused } = await writeTreeNow(place, look);
  const beside = refused.map(({ file }) => file).filter((file) => !left.refused?.includes(file));
  if (to === left.tree && beside.length === 0) return undefined;
  const edits = { to, files: await changedNames(place.repo, left.tree, to) };
  const now = look.head.commit ?? '';
  const dirty = new Set(await changedNames(place.repo, now, to));
  const changed = edits.files.filter((file) => file !== place.plan.name);
  const names = [...changed.filter((file) => dirty.has(file)), ...beside];
  const asCommitted = changed.filter((file) => !dirty.has(file));
  const text =
    left.head === undefined || left.head === now
      ? `restored to the last commit by hand: ${fewOf(asCommitted, mostNames)}`
      : 'commits were made or removed by hand';
  const told = asCommitted.length === 0 ? [] : [text];
  if (names.length === 0) return { edits, told };
  const list = fewOf(names, mostNames);
  if (!isRest && !place.run.options.takeEdits) {
    const take = commandAgain(place.run.state(), '--take-edits ');
    throw new Failure('preflight', `files changed since the run stopped: ${list}`, {
      hint: `\`${take}\` makes them part of the open task, together with the agent’s unfinished work; or restore the files.`,
    });
  }
  const taken = `taken into the open task: ${list}`;
  return { edits, told: [...told, isRest ? `changed while paused, and ${taken}` : taken] };
}

export function emitHandEdits({ run: { emit } }: Place, told: readonly string[]): void {
  for (const text of told) emit({ type: 'intervention', kind: 'hand-edit', text });
}

/** For every open task: the tree counts as no session's work; edits to what checks name are accepted. */
export async function noteTreeOfPerson(place: WorkPlace, plan: Plan, edits?: Edits): Promise<void> {
  const { tasks, fixes } = place.run.state();
  for (const { id, standing, ended } of [...tasks.values(), ...fixes.values()]) {
    const work = standing.is === 'open' ? findWork(place, plan, id) : undefined;
    if (!work || ended || work.start.lane !== place.lane?.number) continue;
    if (edits) acceptDefinitionEdits(place, work, edits);
    await writeWorkTree(place, work, 'person');
  }
}

/** Other plans that have appeared since. */
async function noteOthersPlans(place: Place, left: string, look: Look): Promise<void> {
  const known = new Set([...untrackedIn(place), ...leftOutIn(place), place.plan.name]);
  const plans = newFiles(look).filter((file) => isPlanFile(file) && !known.has(file));
  if (plans.length === 0) return;
  // What was there at the stop may be a session's work.
  const held = await readBlobs(place.repo, left, plans);
  const files = plans.filter((file) => !held.has(file));
  if (files.length > 0) place.run.emit({ type: 'files-made', files, by: 'person' });
}

/** Edits of a person to what checks name count against no task. */
export function acceptDefinitionEdits(place: Place, work: Work, { files, to }: Edits): void {
  const changed = findDefinitions(place, work, files);
  if (changed.length > 0)
    place.run.emit({ type: 'definitions-taken', task: work.task.id, changed, tree: to });
}

/** Of these files, those that may decide a check. */
export function findDefinitions(place: Place, work: Work, files: readonly string[]): string[] {
  const { files: now, recipes } = callsOf(place, allChecks(place, work.plan));
  const called = new Set([...work.start.called, ...work.start.calledByOthers, ...now, ...recipes]);
  return files.filter((file) => called.has(file) || classify(file) === 'config');
}

export type Edits = Readonly<{ to: string; files: readonly string[] }>;

export function readPlanWithEdits(place: WorkPlace): Plan {
  const plan = readPlanAt(place);
  // Edits are taken up only where the run's own plan is read.
  if (place.run.state().started.review || place.lane) return plan;
  const hash = digestText(plan.text);
  const { plan: last, tasks } = place.run.state();
  if (last?.hash !== hash) {
    emitPlanRead(place, plan, hash);
    if (last) emitFlippedBoxes(place, plan, { last, tasks });
  }
  return plan;
}

function emitPlanRead(place: Place, plan: Plan, hash: string): void {
  const isPersons = findPersonsTasks(place);
  const outside = untrackedBoxes(plan);
  place.run.emit({
    type: 'plan-read',
    hash,
    checks: checksOf(place, plan).map((check) => check.command),
    tasks: plan.tasks.map((task) => ({
      id: task.id,
      title: task.title,
      closed: isClosed(task),
      steps: task.steps.length,
      checks: task.checks.map((check) => check.command),
      manual: task.steps
        .filter((step) => step.manual && !step.ticked)
        .map((step) => withoutManualMark(step.text)),
      ...defined({
        optional: ifAny(task.steps.flatMap((step) => (step.optional && !step.ticked ? step.text : []))),
        files: ifAny(task.files),
        leave: isPersons(task) ? { files: [...task.files], text: wordsOf(task) } : undefined,
      }),
    })),
    ...defined({ outside: ifAny(outside) }),
  });
}

/** Not as they were in the plan before, nor as a planner made them. */
function findPersonsTasks(place: Place): (task: Task) => boolean {
  const { folder, state } = place.run;
  const made = state().replans.flatMap(({ taking }) => taking?.file ?? []);
  const texts = made.map((file) => orElse(() => readPlanFile(path.join(folder, file)), undefined));
  const known = [keptPlan(place), ...texts].filter((text) => text !== undefined);
  const before = known.flatMap((text) => parsePlan(text, place.plan.file).tasks);
  return (task) => !before.some((other) => other.id === task.id && saysSame(other, task));
}

/** What a person ticked or reopened is never taken for a session's work. */
function emitFlippedBoxes(
  place: Place,
  plan: Plan,
  { last, tasks }: Readonly<{ last: FactOf<'plan-read'>; tasks: RunState['tasks'] }>,
): void {
  const wasOpen = new Set(last.tasks.filter(({ closed }) => !closed).map(({ id }) => id));
  const { emit } = place.run;
  for (const each of plan.tasks) {
    const { id: task } = each;
    const known = tasks.get(task);
    const wasClosed = known !== undefined && isTaskClosed(known);
    if (isClosed(each) && !wasClosed && wasOpen.has(task))
      emit({ type: 'intervention', kind: 'tick', text: `task ${task} was ticked by hand`, task });
    else if (!isClosed(each) && wasClosed) {
      emit({ type: 'task-reopened', task, by: 'hand', detail: 'its boxes are open again' });
      emitHandEdits(place, [`task ${task} was opened again`]);
    }
  }
}
