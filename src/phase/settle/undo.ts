// Takes a closed task of a stopped run back: git goes back or reverts, the plan's steps are open again, the journal is
// told. It asks nobody and holds no lock; its caller does.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile } from '../../disk.ts';
import type { Fact } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { commitFileMove } from '../../git/commit-file.ts';
import { readTaskCommit } from '../../git/history.ts';
import { removeLocks } from '../../git/lock-files.ts';
import type { LoggedCommit } from '../../git/log.ts';
import { readHead, readHeadCommit } from '../../git/snapshot.ts';
import { planUndo, type Undone, type UndoOptions, type UndoPlan, undoTask } from '../../git/undo.ts';
import { hasOpenSession, type RunState } from '../../journal/state.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';
import { untickTask } from '../../plan/tick.ts';
import type { Context } from '../phase.ts';
import { writePlainTree } from '../task/work-tree.ts';
import { refuseFinalized } from './finalized-undo.ts';

/** A run that stands still. */
export type StillRun = Readonly<{
  id: string;
  folder: string;
  state: RunState;
  append: (fact: Fact) => void;
}>;

export type UndoRequest = Pick<Context, 'repo' | 'config'> &
  Readonly<{
    task: string;
    how?: UndoOptions['how'];
    /** The run whose commit closed the task. */
    closer: StillRun;
    /** The plan's newest run, which goes on; often the same. */
    newest: StillRun;
  }>;

type Done = Exclude<Undone, { kind: 'stands-under' | 'refused' }>;

/** What was done; `reopened`: ids of all tasks that are open again. */
export type TaskUndone = Done & Readonly<{ reopened: readonly string[] }>;

/** Takes a task back. Failure('usage') when other commits stand on its and `how` is not given, Failure('preflight') when the run or the tree is not at rest. */
export async function takeTaskBack(request: UndoRequest): Promise<TaskUndone> {
  const { closer, newest, task } = request;
  const { undoing } = newest.state;
  refuseOtherBranch(request);
  const place = placePlan(request);
  if (undoing) {
    refuseOther(undoing.task, task);
    const { branch, at } = closer.state.started;
    await removeLocks(request.repo, { branch, since: new Date(at) });
  }
  if (!undoing) for (const run of new Set([closer, newest])) refuseUnsettled(run.state);
  const present = await readPresent(request, place);
  if (!undoing) refuseOpen(parsePlan(present, place.file), task);
  if (!undoing) await refuseFinalized(request.repo, { state: closer.state, task });
  const options = optionsOf(request);
  const undone = await undoTask(request.repo, options, undoing ?? (await begin(request)));
  if (undone.kind === 'refused') {
    newest.append({ type: 'undo-ended', task, done: false });
    throw undone.failure;
  }
  const reopened = reopenedBy(undone, request);
  const parent = undone.kind === 'undone' ? undone.taken.at(-1)?.parent : undone.task.parent;
  const before =
    place.tracked && parent !== undefined ? await planAt(request, parent, place.name) : undefined;
  await moveBack(request, place);
  writeReopened(place.file, { present, before, reopened });
  await tellJournals(request, undone, reopened);
  return { ...undone, reopened };
}

/** Where the plan lies now and where the run knows it. */
type Place = Readonly<{ file: string; name: string; now: string; tracked: boolean }>;

function placePlan({ repo, newest }: UndoRequest): Place {
  const { started, archived, undoing } = newest.state;
  const file = path.resolve(repo.root, started.plan);
  return {
    file,
    name: started.plan,
    now: path.resolve(repo.root, undoing?.plan ?? archived?.to ?? started.plan),
    tracked: started.planPlace === 'tracked',
  };
}

function refuseUnsettled(state: RunState): void {
  const { started, closing } = state;
  if (!hasOpenSession(state) && !closing) return;
  throw new Failure('preflight', `run ${started.run} was cut off in the middle of a task`, {
    hint: `Run \`pawl run ${started.plan}\` once, which puts that in order (Ctrl-C stops it), and undo then.`,
  });
}

function refuseOtherBranch({ repo, closer }: UndoRequest): void {
  const { branch } = closer.state.started;
  const { branch: current } = readHead(repo);
  if (current === branch) return;
  throw new Failure('preflight', `the run works on ${branch}, but ${current ?? 'no branch'} is checked out`, {
    hint: `git switch ${branch}`,
  });
}

function refuseOpen(plan: Plan, id: string): void {
  const task = plan.tasks.find((one) => one.id === id);
  if (task && !isClosed(task))
    throw new Failure('usage', `task ${id} is open: there is nothing to take back`);
}

/** The first of two undos that a kill cut off comes to its end before another begins. */
function refuseOther(undoing: string, task: string): void {
  if (undoing === task) return;
  throw new Failure('preflight', `taking task ${undoing} back was cut off in the middle`, {
    hint: `\`pawl undo ${undoing}\` finishes it.`,
  });
}

/** The plan as it was when the undo began; after a kill its file may be back already. */
async function readPresent({ repo, newest }: UndoRequest, place: Place): Promise<string> {
  const { undoing } = newest.state;
  if (undoing && place.tracked) {
    const blob = `${undoing.head}:${path.relative(repo.root, place.now)}`;
    return (await repo.bytes(['cat-file', '--filters', blob])).toString('utf8');
  }
  return readPlanFile(existsSync(place.now) ? place.now : place.file).text;
}

function optionsOf({ config, closer, task }: UndoRequest): UndoOptions {
  return {
    run: closer.id,
    task,
    index: path.join(closer.folder, 'index.rescue'),
    include: config.rescue.include,
    maxFileMb: config.rescue.maxFileMb,
  };
}

/** Settles the undo and journals it, so that a kill leaves no half of it. The archive commit is the run's own and goes with its last task; what else stands on the task has to be named. */
async function begin(request: UndoRequest): Promise<UndoPlan> {
  const { repo, task, how, newest, closer } = request;
  const options = optionsOf(request);
  let plan = await planUndo(repo, how === undefined ? options : { ...options, how });
  if ('kind' in plan) {
    const { later } = plan;
    if (later.some(({ oid }) => oid !== newest.state.archived?.oid)) throw standsUnder(request, later);
    plan = await planUndo(repo, { ...options, how: 'with-later' });
    if ('kind' in plan) throw standsUnder(request, plan.later);
  }
  newest.append({
    type: 'undo-started',
    task,
    closer: closer.id,
    plan: newest.state.archived?.to ?? newest.state.started.plan,
    ...plan,
    notHeld: [...plan.notHeld],
  });
  return plan;
}

function standsUnder({ task }: UndoRequest, later: readonly LoggedCommit[]): Failure {
  const lines = later.map((commit) => {
    const closed = readTaskCommit(commit);
    const whose = closed
      ? `task ${closed.task}`
      : /^Pawl-Run: /m.test(commit.message)
        ? 'pawl'
        : 'not pawl’s';
    return `  ${commit.oid.slice(0, 10)}  ${commit.message.split('\n', 1)[0]} (${whose})`;
  });
  return new Failure('usage', [`these commits stand on task ${task}:`, ...lines].join('\n'), {
    hint: `pawl undo ${task} --with-later takes them back too.\npawl undo ${task} --revert makes a commit that takes only the task’s own change back.`,
  });
}

/** Tasks of the plan alone: what a review mended is looked for anew. */
function reopenedBy(undone: Done, { task, closer, newest }: UndoRequest): readonly string[] {
  if (undone.kind === 'reverted') return [task];
  const closed = undone.taken.flatMap((commit) => readTaskCommit(commit)?.task ?? []);
  const isTask = (id: string) => closer.state.tasks.has(id) || newest.state.tasks.has(id);
  return [...new Set(closed)].filter(isTask).reverse();
}

async function planAt({ repo }: UndoRequest, commit: string, name: string): Promise<Plan | undefined> {
  const text = await repo.bytes(['cat-file', 'blob', `${commit}:${name}`], { okCodes: [0, 128] });
  return text.length === 0 ? undefined : parsePlan(text.toString('utf8'), name);
}

/** A plan that was archived is put back where its run finds it, unless git did so already. */
async function moveBack({ repo, newest }: UndoRequest, place: Place): Promise<void> {
  if (place.now === place.file) return;
  if (existsSync(place.now) && !existsSync(place.file)) {
    makeFolder(path.dirname(place.file));
    moveFile(place.now, place.file);
  }
  const from = path.relative(repo.root, place.now);
  if (!place.tracked || (await repo.git(['ls-tree', 'HEAD', '--', from])) === '') return;
  await commitFileMove(repo, {
    from,
    to: place.name,
    message: `plan: take ${path.basename(place.name)} back from the archive\n\nPawl-Run: ${newest.id}`,
    mark: `PAWL_CHECK=${newest.folder}/commit`,
  });
}

/** The plan as it was a moment ago, with the tasks' steps open: what a person wrote since stays. */
function writeReopened(
  file: string,
  found: Readonly<{ present: string; before: Plan | undefined; reopened: readonly string[] }>,
): void {
  const text = found.reopened.reduce((last, task) => {
    const plan = parsePlan(last, file);
    return plan.tasks.some(({ id }) => id === task) ? untickTask(plan, task, found.before) : last;
  }, found.present);
  if (!existsSync(file) || readPlanFile(file).text !== text) writePlanFile(file, text);
}

async function tellJournals(request: UndoRequest, undone: Done, reopened: readonly string[]): Promise<void> {
  const { repo, config, closer, newest } = request;
  const detail =
    undone.kind === 'undone'
      ? `its commit ${undone.task.oid.slice(0, 10)} was taken back, kept as ${undone.kept}`
      : `its commit ${undone.task.oid.slice(0, 10)} was reverted by ${undone.oid.slice(0, 10)}`;
  const left = { repo, config, index: path.join(newest.folder, 'index'), state: () => newest.state };
  const { tree } = await writePlainTree(left, 'HEAD');
  const head = await readHeadCommit(repo);
  for (const task of reopened) {
    if (closer !== newest) closer.append({ type: 'task-reopened', task, by: 'undo', detail });
    newest.append({ type: 'task-reopened', task, by: 'undo', detail, tree, head });
  }
  const which = reopened.length === 1 ? `task ${reopened[0]} was` : `tasks ${reopened.join(', ')} were`;
  newest.append({ type: 'intervention', kind: 'undo', text: `${which} taken back` });
  newest.append({ type: 'undo-ended', task: request.task, done: true });
}
