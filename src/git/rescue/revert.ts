// Reverts a closed task's own change and keeps what came after it. If git cannot, the work tree is left unchanged.
import { Failure } from '../../failure.ts';
import { commitTree } from '../commit/commit.ts';
import type { TaskCommit } from '../commit/history.ts';
import { readHeadCommit } from '../protect/snapshot.ts';
import { endOperation, judgeParent } from '../run/head.ts';
import { readLog } from '../run/log.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex, withCopy, writeIndexTree } from '../tree/index-file.ts';
import { listDirt } from '../tree/tree.ts';
import { type RescueOptions, restoreTree, saveRescue } from './rescue.ts';

/** `head`: HEAD when the revert was decided on. */
type Reverting = Readonly<{ task: TaskCommit; head: string }>;

/**
 * Makes the revert commit, or finds one made before a kill; returns its id. Returns a Failure if it could not be made;
 * nothing has changed then. Throws Failure('history') if somebody else moved HEAD meanwhile.
 */
export async function revertTask(
  repo: Repo,
  options: Omit<RescueOptions, 'reason'>,
  { task, head }: Reverting,
): Promise<string | Failure> {
  const done = await findRevert(repo, { task, head });
  if (done !== undefined) return done;
  const clear = async (why: string): Promise<void> => {
    const { oid: rescue } = await saveRescue(repo, { ...options, reason: `${why} of task ${task.task}` });
    endOperation(repo);
    await withCopy(options.index, 'undo', (index) => restoreTree(repo, { tree: head, index, rescue }));
    await setIndex(repo, head);
  };
  // A kill intervened: what git had reverted by then must not be committed.
  if ((await listDirt(repo)).length > 0) await clear('cut-off revert');
  try {
    await repo.write('revert', ['revert', '--no-commit', task.oid]);
  } catch (cause) {
    await clear('failed revert');
    const text = `task ${task.task} cannot be reverted alone: later commits changed the same lines`;
    return new Failure('git', text, { hint: 'Undo the later commits too, with --with-later.', cause });
  }
  const tree = await withCopy(`${repo.gitDir}/index`, 'pawl', (index) => writeIndexTree(repo, index));
  endOperation(repo);
  const commit = await commitTree(repo, { tree, parent: head, message: revertMessage(task, options.run) });
  if ('oid' in commit) return commit.oid;
  await clear('failed revert');
  return new Failure('hook', `the revert was rejected: ${commit.output.trim().slice(0, 400)}`);
}

function revertMessage(task: TaskCommit, run: string): string {
  const subject = task.message.split('\n', 1)[0] ?? '';
  return `Revert "${subject}"\n\nTakes back ${task.oid}.\n\nPawl-Run: ${run}\nPawl-Undone: ${task.task}\n`;
}

/** The commit that reverted the task before a kill; undefined while HEAD is where it was. */
async function findRevert(repo: Repo, { task, head }: Reverting): Promise<string | undefined> {
  const now = await readHeadCommit(repo);
  const moved = judgeParent(now, head);
  if (!moved) return undefined;
  // The plan's return from the archive may already be a commit on top of it.
  const made = (await readLog(repo, ['--first-parent', `${head}..${now}`, '--'])).at(-1);
  if (made?.parent === head && made.message.includes(`\nTakes back ${task.oid}.`)) return made.oid;
  throw moved;
}
