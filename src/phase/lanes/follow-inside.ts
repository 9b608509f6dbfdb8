// In a sandbox a lane has a git folder of its own, made with the sandbox. When pawl moves the lane, git inside updates that
// folder: its content may be the session's work, so nothing on this machine touches it.
import path from 'node:path';
import { runCheck } from '../../check/checks.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { configuredChecks } from '../../work/work.ts';

/** The longest time git may take inside, in milliseconds. */
const followMs = 30_000;

const command = `git symbolic-ref HEAD "refs/heads/$PAWL_BRANCH"
git update-ref "refs/heads/$PAWL_BRANCH" "$PAWL_HEAD"
git read-tree "$PAWL_HEAD"
git update-index -q --refresh`;

/** Moves HEAD and index inside to a commit. If a session has broken its git folder, it stays broken. */
export async function followInside(place: Place, commit: string): Promise<void> {
  const { run, repo, env, sandbox, lane } = place;
  const [check] = configuredChecks([command]);
  if (!sandbox || !check) return;
  const name = `git-${lane?.number ?? 0}`;
  await runCheck(
    {
      ...place,
      signal: run.signal,
      root: repo.root,
      env: { ...env, PAWL_BRANCH: run.state().started.branch, PAWL_HEAD: commit },
      mark: `PAWL_CHECK=${run.folder}/${name}`,
      timeoutMs: followMs,
    },
    check,
    { cwd: '.', log: path.join(run.folder, inRun.checks, `${name}.log`) },
  );
}
