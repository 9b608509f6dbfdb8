// Whether a task can be undone although finalizing rewrote the run's commits: its work may now share a commit with other
// tasks.

import { commitNow } from '../../event/rewritten.ts';
import { Failure } from '../../failure.ts';
import { readTaskCommit } from '../../git/commit/history.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readLog } from '../../git/run/log.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';

/** Failure('usage') that says how to get at a task whose commit is not one of its own any more. */
export async function refuseFinalized(
  repo: Repo,
  { state, task }: Readonly<{ state: RunState; task: string }>,
): Promise<void> {
  const oid = state.tasks.get(task)?.closed?.oid;
  if (oid === undefined || state.rewrites.length === 0) return;
  if (await descends(repo, oid, await readHeadCommit(repo))) return;
  const now = commitNow(state, oid);
  const first = state.rewrites.find(({ commits }) => commits.some(({ old }) => old === oid));
  if (now === oid || !first) return;
  const closed = [...state.tasks.values(), ...state.fixes.values()].flatMap((one) => one.closed ?? []);
  const others = closed.filter((one) => one.task !== task && commitNow(state, one.oid) === now);
  const [commit] = await readLog(repo, ['-n', '1', now, '--']);
  if (others.length === 0 && commit && readTaskCommit(commit)?.task === task) return;
  const beside = others.length === 0 ? '' : `, which holds ${others.map((one) => one.task).join(', ')} too`;
  throw new Failure(
    'usage',
    `task ${task} no longer has a commit of its own: its work is now in ${now.slice(0, 12)}${beside}`,
    {
      hint: `\`git reset --keep ${first.kept}\` brings the commits of before back, with the same files, and leaves out what was committed since; then undo it.`,
    },
  );
}
