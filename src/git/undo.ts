// Taking a closed task back: the branch goes back to the task's start, or a commit reverts it. Nothing is lost: the old
// HEAD is a ref of pawl's and the work tree a rescue point.
import { Failure } from '../failure.ts';
import { commitTree } from './commit.ts';
import { changeRefs, endOperation } from './head.ts';
import { readTaskCommit, type TaskCommit } from './history.ts';
import { setIndex, withCopy, writeIndexTree } from './index-file.ts';
import { type LoggedCommit, readLog } from './log.ts';
import { nameOf } from './names.ts';
import { nextRefs } from './refs.ts';
import type { Repo } from './repo.ts';
import { planRestore, type RescueOptions, restoreTree, saveRescue } from './rescue.ts';
import type { NotHeld } from './rescue-point.ts';
import { readRefs } from './snapshot.ts';
import { listDirt, listUntracked } from './tree.ts';

export type UndoOptions = Omit<RescueOptions, 'reason'> &
  Readonly<{
    task: string;
    /** `with-later`: takes commits that stand on the task's back too. `revert`: makes a commit that reverts the task's alone. */
    how?: 'with-later' | 'revert';
  }>;

/** `undone`: branch and work tree are at the task's start. `reverted`: a new commit. `stands-under`: nothing was done, these commits stand on it, the newest first. */
export type Undone =
  | Readonly<{
      kind: 'undone';
      task: TaskCommit;
      kept: string;
      rescue: string;
      /** What the rescue does not hold; undo leaves these files alone. */
      notHeld: readonly NotHeld[];
      taken: readonly LoggedCommit[];
    }>
  | Readonly<{ kind: 'reverted'; task: TaskCommit; oid: string; rescue: string; notHeld: readonly NotHeld[] }>
  | Readonly<{ kind: 'stands-under'; task: TaskCommit; later: readonly LoggedCommit[] }>;

/** Takes back the newest commit of HEAD's branch that closed the task. Failure('preflight') when the tree has changes, Failure('usage') when there is no such commit, Failure('git') when a revert conflicts. */
export async function undoTask(repo: Repo, options: UndoOptions): Promise<Undone> {
  const dirt = await listDirt(repo);
  if (dirt.length > 0)
    throw new Failure('preflight', `The working tree has changes: ${dirt.slice(0, 10).join(', ')}.`, {
      hint: 'Commit or stash them first; undo rewrites these files.',
    });
  const { task, later } = await findTask(repo, options);
  if (later.length > 0 && options.how === undefined) return { kind: 'stands-under', task, later };
  const saved = await saveRescue(repo, { ...options, reason: `before undoing task ${options.task}` });
  if (options.how === 'revert') {
    const oid = await revertTask(repo, options, { task, later });
    return { kind: 'reverted', task, oid, rescue: saved.oid, notHeld: saved.notHeld };
  }
  const kept = await goBack(repo, options, { task, later, rescue: saved.oid });
  const { oid: rescue, notHeld } = saved;
  return { kind: 'undone', task, kept, rescue, notHeld, taken: [...later, task] };
}

type Found = Readonly<{ task: TaskCommit; later: readonly LoggedCommit[] }>;

async function findTask(repo: Repo, options: UndoOptions): Promise<Found> {
  const commits = await readLog(repo, ['--first-parent', 'HEAD', '--']);
  const at = commits.findIndex((commit) => {
    const closed = readTaskCommit(commit);
    return closed?.task === options.task && closed.run === options.run;
  });
  const commit = commits[at];
  const task = commit && readTaskCommit(commit);
  if (task?.parent !== undefined) return { task, later: commits.slice(0, at) };
  throw new Failure('usage', `No commit of this branch closed task ${options.task} in run ${options.run}.`, {
    hint: 'See `pawl status` for the tasks that were closed.',
  });
}

async function goBack(repo: Repo, options: UndoOptions, found: Found & { rescue: string }): Promise<string> {
  const { task, later, rescue } = found;
  const head = (later[0] ?? task).oid;
  const start = task.parent ?? '';
  const keep = new Set(await listUntracked(repo));
  // What would be lost or stands in the way is said before anything has moved.
  await withCopy(options.index, 'undo', async (index) => {
    const { raws } = await planRestore(repo, { tree: start, index, keep, rescue });
    refuseInTheWay(raws.map(nameOf), keep);
  });
  const { own } = await readRefs(repo);
  const kept = nextRefs(own, options.run, 'undone')();
  await changeRefs(repo, `undo task ${task.task}`, [
    { ref: kept, now: head, old: undefined },
    { ref: 'HEAD', now: start, old: head },
  ]);
  await withCopy(options.index, 'undo', (index) => restoreTree(repo, { tree: start, index, keep, rescue }));
  await setIndex(repo, start);
  return kept;
}

/** A person's untracked file may lie in a folder that has to become a file again, or be the file where a folder has to be. */
function refuseInTheWay(names: readonly string[], keep: ReadonlySet<string>): void {
  for (const mine of keep) {
    const name = names.find((one) => mine.startsWith(`${one}/`) || one.startsWith(`${mine}/`));
    if (name === undefined) continue;
    throw new Failure('preflight', `${mine} stands in the way of ${name}, which would come back.`, {
      hint: `Move ${mine} away and try again; nothing was changed.`,
    });
  }
}

async function revertTask(repo: Repo, options: UndoOptions, found: Found): Promise<string> {
  const { task, later } = found;
  const head = (later[0] ?? task).oid;
  const giveUp = async (failure: Failure): Promise<never> => {
    const { oid: rescue } = await saveRescue(repo, {
      ...options,
      reason: `failed revert of task ${task.task}`,
    });
    endOperation(repo);
    await withCopy(options.index, 'undo', (index) => restoreTree(repo, { tree: head, index, rescue }));
    await setIndex(repo, head);
    throw failure;
  };
  try {
    await repo.write('revert', ['revert', '--no-commit', task.oid]);
  } catch (cause) {
    return giveUp(
      new Failure(
        'git',
        `Task ${task.task} cannot be reverted alone: later commits changed the same lines.`,
        {
          hint: 'Take the later commits back too, with --with-later.',
          cause,
        },
      ),
    );
  }
  const tree = await withCopy(`${repo.gitDir}/index`, 'pawl', (index) => writeIndexTree(repo, index));
  endOperation(repo);
  const subject = task.message.split('\n', 1)[0] ?? '';
  const message = `Revert "${subject}"\n\nTakes back ${task.oid}.\n\nPawl-Run: ${options.run}\nPawl-Undone: ${task.task}\n`;
  const commit = await commitTree(repo, { tree, parent: head, message });
  if ('oid' in commit) return commit.oid;
  return giveUp(new Failure('hook', `The revert was rejected: ${commit.output.trim().slice(0, 400)}`));
}
