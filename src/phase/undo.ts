// Takes a closed task of a stopped run back: git goes back or reverts, the plan's steps are open again, the journal is
// told. It asks nobody and holds no lock; its caller does.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile } from '../effect.ts';
import type { Fact } from '../event.ts';
import { Failure } from '../failure.ts';
import { moveInCommit } from '../git/commit.ts';
import { readTaskCommit } from '../git/history.ts';
import type { LoggedCommit } from '../git/log.ts';
import { readHead } from '../git/snapshot.ts';
import { type Undone, type UndoOptions, undoTask } from '../git/undo.ts';
import type { RunState } from '../journal/state.ts';
import { readPlanFile, writePlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { isClosed, type Plan } from '../plan/plan.ts';
import { untickTask } from '../plan/tick.ts';
import type { Context } from './phase.ts';
import { writePlainTree } from './work-tree.ts';

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

/** What was done; `reopened`: ids of all tasks that are open again. */
export type TaskUndone = Exclude<Undone, { kind: 'stands-under' }> &
  Readonly<{ reopened: readonly string[] }>;

/** Takes a task back. Failure('usage') when other commits stand on its and `how` is not given, Failure('preflight') when the run or the tree is not at rest. */
export async function takeTaskBack(request: UndoRequest): Promise<TaskUndone> {
  const { closer, newest, task } = request;
  for (const run of new Set([closer, newest])) refuseUnsettled(run.state);
  refuseOtherBranch(request);
  const place = placePlan(request);
  const present = readPlanFile(existsSync(place.now) ? place.now : place.file).text;
  refuseOpen(parsePlan(present, place.file), task);
  const undone = await undoOrName(request);
  const reopened = reopenedBy(undone, task);
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
  const { started, archived } = newest.state;
  const file = path.resolve(repo.root, started.plan);
  return {
    file,
    name: started.plan,
    now: archived ? path.resolve(repo.root, archived.to) : file,
    tracked: started.planPlace === 'tracked',
  };
}

function refuseUnsettled({ started, sessions, closing }: RunState): void {
  const cut = [...sessions.values()].some((session) => !session.ended);
  if (!cut && !closing) return;
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

/** The archive commit is the run's own and goes with its last task; what else stands on the task has to be named. */
async function undoOrName(request: UndoRequest): Promise<Exclude<Undone, { kind: 'stands-under' }>> {
  const { repo, config, closer, task, how, newest } = request;
  const options = {
    run: closer.id,
    task,
    index: path.join(closer.folder, 'index.rescue'),
    include: config.rescue.include,
    maxFileMb: config.rescue.maxFileMb,
  };
  const undone = await undoTask(repo, how === undefined ? options : { ...options, how });
  if (undone.kind !== 'stands-under') return undone;
  const { later } = undone;
  if (later.some(({ oid }) => oid !== newest.state.archived?.oid)) throw standsUnder(request, later);
  const again = await undoTask(repo, { ...options, how: 'with-later' });
  if (again.kind === 'stands-under') throw standsUnder(request, again.later);
  return again;
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

function reopenedBy(undone: Exclude<Undone, { kind: 'stands-under' }>, task: string): readonly string[] {
  if (undone.kind === 'reverted') return [task];
  const closed = undone.taken.flatMap((commit) => readTaskCommit(commit) ?? []);
  return [...new Set(closed.map(({ task: id }) => id))].reverse();
}

async function planAt({ repo }: UndoRequest, commit: string, name: string): Promise<Plan | undefined> {
  const text = await repo.bytes(['cat-file', 'blob', `${commit}:${name}`], { okCodes: [0, 128] });
  return text.length === 0 ? undefined : parsePlan(text.toString('utf8'), name);
}

/** A plan that was archived is put back where its run finds it, unless git did so already. */
async function moveBack({ repo, newest }: UndoRequest, place: Place): Promise<void> {
  if (place.now === place.file || !existsSync(place.now) || existsSync(place.file)) return;
  makeFolder(path.dirname(place.file));
  moveFile(place.now, place.file);
  if (!place.tracked) return;
  await moveInCommit(repo, {
    from: path.relative(repo.root, place.now),
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

async function tellJournals(
  request: UndoRequest,
  undone: Exclude<Undone, { kind: 'stands-under' }>,
  reopened: readonly string[],
): Promise<void> {
  const { repo, config, closer, newest } = request;
  const detail =
    undone.kind === 'undone'
      ? `its commit ${undone.task.oid.slice(0, 10)} was taken back, kept as ${undone.kept}`
      : `its commit ${undone.task.oid.slice(0, 10)} was reverted by ${undone.oid.slice(0, 10)}`;
  const left = { repo, config, index: path.join(newest.folder, 'index'), state: () => newest.state };
  const { tree } = await writePlainTree(left, 'HEAD');
  for (const task of reopened) {
    if (closer !== newest) closer.append({ type: 'task-reopened', task, by: 'undo', detail });
    newest.append({ type: 'task-reopened', task, by: 'undo', detail, tree });
  }
  const which = reopened.length === 1 ? `task ${reopened[0]} was` : `tasks ${reopened.join(', ')} were`;
  newest.append({ type: 'intervention', kind: 'undo', text: `${which} taken back` });
}
