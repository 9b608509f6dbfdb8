// Undoes a closed task of a stopped run. The caller holds the lock.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile } from '../../disk.ts';
import { commandAgain } from '../../event/again.ts';
import type { Fact } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { commitFile } from '../../git/commit/commit-file.ts';
import { readTaskCommit } from '../../git/commit/history.ts';
import { readHead, readHeadCommit } from '../../git/protect/snapshot.ts';
import { planUndo, type Undone, type UndoOptions, type UndoPlan, undoTask } from '../../git/rescue/undo.ts';
import { descends, type LoggedCommit } from '../../git/run/ancestry.ts';
import { removeLocks } from '../../git/run/lock-files.ts';
import { readBlobs } from '../../git/run/read-objects.ts';
import type { Repo } from '../../git/run/repo.ts';
import { openSessions, planOf, type RunState } from '../../journal/state.ts';
import { closeOf } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';
import { untickTask } from '../../plan/tick.ts';
import { elsewhere } from '../../work/on-branch.ts';
import { writeTreeNow } from '../../work/tree/work-tree.ts';
import { inAnUndo } from '../open/may-open.ts';

export type StillRun = Readonly<{
  id: string;
  folder: string;
  state: RunState;
  append: (fact: Fact) => void;
}>;

export type UndoRequest = Pick<Place, 'repo'> &
  Pick<Run, 'config'> &
  Readonly<{
    task: string;
    withLater?: boolean;
    closer: StillRun;
    /** The plan's newest run, which continues; often the same. */
    newest: StillRun;
  }>;

/** Ids of all tasks that are open again. */
export type TaskUndone = Undone & Readonly<{ reopened: readonly string[] }>;

/**
 * Throws Failure('usage') over commits on top that are not to go, Failure('preflight') if run or tree is
 * busy.
 */
export async function undoClosedTask(request: UndoRequest): Promise<TaskUndone> {
  const { repo, closer, newest, task } = request;
  const { undoing } = newest.state;
  const { branch, at } = closer.state.started;
  const { branch: current } = readHead(repo);
  if (current !== branch) throw await elsewhere({ repo, state: closer.state, current });
  const place = placePlan(repo, newest.state);
  const present = await readPresent(repo, place, undoing?.head);
  if (undoing) {
    if (undoing.task !== task) throw inAnUndo(undoing.task);
    await removeLocks(repo, { branch, since: new Date(at) });
  } else await refuseUndo(request, parsePlan(present, place.file));
  const index = path.join(closer.folder, 'index.rescue');
  const options: UndoOptions = { run: closer.id, task, index };
  const undone = await undoTask(repo, options, undoing ?? (await begin(request, options)));
  const closed = undone.taken.flatMap((commit) => readTaskCommit(commit)?.task ?? []);
  const isTask = (id: string) => closer.state.tasks.has(id) || newest.state.tasks.has(id);
  const reopened = [...new Set(closed)].filter(isTask).reverse();
  const parent = undone.taken.at(-1)?.parent;
  const held =
    place.tracked && parent !== undefined ? await readBlobs(repo, parent, [place.name]) : undefined;
  const text = held?.get(place.name);
  const before = text === undefined ? undefined : parsePlan(text, place.name);
  await movePlanBack(repo, place, newest);
  writeReopened(place.file, { present, before, reopened });
  await journalUndo(request, undone, reopened);
  return { ...undone, reopened };
}

/** Journaled first: a kill cannot leave half. Undoes the archive commit too; others on top must be named. */
async function begin(request: UndoRequest, options: UndoOptions): Promise<UndoPlan> {
  const { repo, task, withLater = false, newest, closer } = request;
  const plan = await planUndo(repo, options, (later) => {
    const isOwn = later.every(({ oid }) => oid === newest.state.archive?.oid);
    if (!withLater && !isOwn) throw standsUnder(task, later);
  });
  const what = { task, closer: closer.id, plan: planOf(newest.state) };
  newest.append({ type: 'undo', state: 'started', ...what, ...plan, notHeld: [...plan.notHeld] });
  return plan;
}

async function journalUndo(request: UndoRequest, undone: Undone, reopened: readonly string[]): Promise<void> {
  const { repo, config, closer, newest } = request;
  const detail = `its commit ${undone.task.oid.slice(0, 10)} was undone, kept as ${undone.kept}`;
  const run = { config, state: () => newest.state };
  const left = { repo, index: path.join(newest.folder, 'index'), run };
  const { tree } = await writeTreeNow(left);
  const head = await readHeadCommit(repo);
  for (const task of reopened) {
    if (closer !== newest) closer.append({ type: 'task-reopened', task, by: 'undo', detail });
    newest.append({ type: 'task-reopened', task, by: 'undo', detail, tree, head });
  }
  const which = reopened.length === 1 ? `task ${reopened[0]} was` : `tasks ${reopened.join(', ')} were`;
  newest.append({ type: 'intervention', kind: 'undo', text: `${which} taken back` });
  newest.append({ type: 'undo', state: 'ended', task: request.task });
}

async function refuseUndo({ repo, task, closer, newest }: UndoRequest, plan: Plan): Promise<void> {
  for (const { state } of new Set([closer, newest])) refuseUnsettled(state);
  const inPlan = plan.tasks.find(({ id }) => id === task);
  if (inPlan && !isClosed(inPlan))
    throw new Failure('usage', `task ${task} is open: there is nothing to undo`);
  const { squashed, tasks } = closer.state;
  const known = tasks.get(task);
  const oid = known && closeOf(known)?.oid;
  if (!squashed || oid === undefined || (await descends(repo, oid, await readHeadCommit(repo)))) return;
  const what = `task ${task} has no commit of its own: the run was squashed into ${squashed.to.slice(0, 12)}`;
  throw new Failure('usage', what, {
    hint: `\`git reset --keep ${squashed.kept}\` brings back the old commits, with the same files and without what was committed since; then undo it.`,
  });
}

/** The next start repairs a run that was cut off, not an undo. */
function refuseUnsettled(state: RunState): void {
  const { started, closing } = state;
  if (openSessions(state).length === 0 && !closing) return;
  throw new Failure('preflight', `run ${started.run} was interrupted in the middle of a task`, {
    hint: `Run \`${commandAgain(state)}\` once, which repairs that (Ctrl-C stops it), then undo.`,
  });
}

function standsUnder(task: string, later: readonly LoggedCommit[]): Failure {
  const lines = later.map((commit) => {
    const closed = readTaskCommit(commit)?.task;
    const isPawls = /^Pawl-Run: /m.test(commit.message);
    const whose = closed ? `task ${closed}` : isPawls ? 'pawl' : 'not pawl’s';
    return `  ${commit.oid.slice(0, 10)}  ${commit.message.split('\n', 1)[0]} (${whose})`;
  });
  return new Failure('usage', [`these commits come after task ${task}:`, ...lines].join('\n'), {
    hint: `pawl undo ${task} --with-later undoes them too.`,
  });
}

type PlanLocation = ReturnType<typeof placePlan>;

function placePlan({ root }: Repo, state: RunState) {
  const { plan: name, planPlace } = state.started;
  const now = path.resolve(root, state.undoing?.plan ?? planOf(state));
  return { file: path.resolve(root, name), name, now, tracked: planPlace === 'tracked' };
}

/** When the undo began. `head`: HEAD then, for an undo that a kill cut off: the file may already be back. */
async function readPresent(repo: Repo, place: PlanLocation, head: string | undefined): Promise<string> {
  if (head !== undefined && place.tracked) {
    const blob = `${head}:${path.relative(repo.root, place.now)}`;
    return (await repo.bytes(['cat-file', '--filters', blob])).toString('utf8');
  }
  return readPlanFile(existsSync(place.now) ? place.now : place.file);
}

async function movePlanBack(
  repo: Repo,
  place: PlanLocation,
  run: Readonly<{ id: string; folder: string }>,
): Promise<void> {
  if (place.now === place.file) return;
  if (existsSync(place.now) && !existsSync(place.file)) {
    makeFolder(path.dirname(place.file));
    moveFile(place.now, place.file);
  }
  const from = path.relative(repo.root, place.now);
  if (!place.tracked || (await repo.git(['ls-tree', 'HEAD', '--', from])) === '') return;
  await commitFile(repo, {
    from,
    file: place.name,
    message: `plan: take ${path.basename(place.name)} back from the archive\n\nPawl-Run: ${run.id}`,
    mark: `PAWL_CHECK=${run.folder}/commit`,
  });
}

function writeReopened(
  file: string,
  found: Readonly<{ present: string; before: Plan | undefined; reopened: readonly string[] }>,
): void {
  const text = found.reopened.reduce(
    (last, task) => untickTask(parsePlan(last, file), task, found.before),
    found.present,
  );
  if (!existsSync(file) || readPlanFile(file) !== text) writePlanFile(file, text);
}
