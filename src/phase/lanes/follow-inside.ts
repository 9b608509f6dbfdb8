// In a sandbox a lane has a git folder of its own, made when the sandbox was. When pawl moves the lane, that one follows by git
// inside: what stands there may be the session's work, and nothing of this machine touches it.
import type { Place } from '../../place/place.ts';
import { runProgram } from '../../process/run-program.ts';

/** How long git may take inside, milliseconds. */
const followMs = 30_000;

const follow = [
  'git symbolic-ref HEAD "refs/heads/$1"',
  'git update-ref "refs/heads/$1" "$2"',
  'git read-tree "$2"',
  'git update-index -q --refresh',
].join(' && ');

/** Brings HEAD and index inside to a commit; where a session has broken its git folder that is its own loss. */
export async function followInside(lane: Place, commit: string): Promise<void> {
  const { run, repo, env, sandbox } = lane;
  if (!sandbox) return;
  const name = `${run.folder}/git-${lane.lane?.number ?? 0}`;
  await runProgram(lane, {
    file: 'sh',
    args: ['-c', follow, 'sh', run.state().started.branch, commit],
    cwd: repo.root,
    env: { ...env, PAWL_CHECK: name },
    mark: `PAWL_CHECK=${name}`,
    timeoutMs: followMs,
    signal: run.signal,
  });
}
