// Undoes a closed task: back to its start. A ref keeps the old HEAD, a rescue point the work tree.
import { Failure } from '../../failure.ts';
import { readTaskCommit, type TaskCommit } from '../commit/history.ts';
import { readHeadCommit } from '../protect/snapshot.ts';
import { type LoggedCommit, readLog } from '../run/ancestry.ts';
import { changeRefs, judgeParent, readRefs } from '../run/head.ts';
import { fewOf } from '../run/names.ts';
import { nextRefs, pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex, withCopy } from '../tree/index-file.ts';
import { listDirt, listUntracked } from '../tree/tree.ts';
import { type RescueOptions, saveRescue } from './rescue.ts';
import type { NotHeld } from './rescue-point.ts';
import { planRestore, restoreTree } from './restore-tree.ts';

export type UndoOptions = Omit<RescueOptions, 'reason'> & Readonly<{ task: string }>;

/** `taken`: the commits that went, newest first; `kept`: the ref of the newest. */
export type Undone = Pick<UndoPlan, 'rescue' | 'notHeld'> &
  Readonly<{ task: TaskCommit; kept: string; taken: readonly LoggedCommit[] }>;

/** Journaled first, to be completed after a kill. */
export type UndoPlan = Readonly<{
  head: string;
  /** Holds the work tree before. */
  rescue: string;
  /** Undo leaves these files alone. */
  notHeld: readonly NotHeld[];
}>;

/**
 * Saves a rescue. `judge` gets the commits on top of the task's, newest first, and throws if they are to stay. Throws
 * Failure('preflight') if the tree has changes, Failure('usage') if no commit closed the task.
 */
export async function planUndo(
  repo: Repo,
  options: UndoOptions,
  judge: (later: readonly LoggedCommit[]) => void,
): Promise<UndoPlan> {
  const dirt = await listDirt(repo);
  if (dirt.length > 0)
    throw new Failure('preflight', `the working tree has changes: ${fewOf(dirt, 10)}`, {
      hint: 'Commit or stash them first; undo rewrites these files.',
    });
  const head = await readHeadCommit(repo);
  const { task, later } = await findTask(repo, options, head);
  judge(later);
  const reason = `before undoing task ${options.task}`;
  const { oid: rescue, notHeld } = await saveRescue(repo, { ...options, reason });
  const keep = new Set(await listUntracked(repo));
  const to = { tree: task.parent ?? '', rescue, keep };
  await withCopy(options.index, 'undo', (index) => planRestore(repo, { ...to, index }));
  return { head, rescue, notHeld };
}

/** Throws Failure('history') if somebody else moved HEAD. */
export async function undoTask(repo: Repo, options: UndoOptions, plan: UndoPlan): Promise<Undone> {
  const { head, rescue, notHeld } = plan;
  const { task, later } = await findTask(repo, options, head);
  const start = task.parent ?? '';
  const now = await readHeadCommit(repo);
  const moved = now === start ? undefined : judgeParent(now, head);
  if (moved) throw moved;
  // By the index before: files that the commits created are not the user's.
  const keep = new Set(await listUntracked(repo));
  const kept = await moveHeadBack(repo, options, { head, start, isBack: now === start });
  await withCopy(options.index, 'undo', (index) => restoreTree(repo, { tree: start, index, keep, rescue }));
  await setIndex(repo, start);
  return { task, kept, rescue, notHeld, taken: [...later, task] };
}

async function findTask(
  repo: Repo,
  options: UndoOptions,
  head: string,
): Promise<Readonly<{ task: TaskCommit; later: readonly LoggedCommit[] }>> {
  const commits = await readLog(repo, ['--first-parent', head, '--']);
  const closes = commits.map(readTaskCommit);
  const at = closes.findIndex((one) => one?.task === options.task && one.run === options.run);
  const task = closes[at];
  if (task?.parent !== undefined) return { task, later: commits.slice(0, at) };
  throw new Failure('usage', `no commit of this branch closed task ${options.task} in run ${options.run}`, {
    hint: '`pawl status` lists the closed tasks.',
  });
}

/** Both or neither; returns the ref. */
async function moveHeadBack(
  repo: Repo,
  { run, task }: UndoOptions,
  { head, start, isBack }: Readonly<{ head: string; start: string; isBack: boolean }>,
): Promise<string> {
  const { own } = await readRefs(repo);
  const known = [...own].find(([ref, oid]) => oid === head && ref.startsWith(pawlRef(run, 'undone/')));
  if (isBack && known) return known[0];
  const kept = nextRefs(own, run, 'undone')();
  const moving = isBack ? [] : [{ ref: 'HEAD', now: start, old: head }];
  await changeRefs(repo, `undo task ${task}`, [{ ref: kept, now: head, old: undefined }, ...moving]);
  return kept;
}
