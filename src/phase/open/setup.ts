// Makes a ground ready for checks, once, by `worktree.setup`; and tries what every commit will need.
import { Failure } from '../../failure.ts';
import { trySigning } from '../../git/commit/commit.ts';
import { fewOf } from '../../git/run/names.ts';
import { listDirt } from '../../git/tree/tree.ts';
import { copyHooks } from '../../ground/settings.ts';
import type { Place } from '../../place/place.ts';
import { runChecks } from '../../work/tree/run-checks.ts';
import { plainCheck } from '../../work/work.ts';

export async function setUpGround(place: Place): Promise<void> {
  await trySigning(place.repo);
  const { worktree, phasesEnded } = place.run.state();
  // In a tree that a person gave the branch, setup is theirs.
  if (worktree?.path !== place.repo.root) return;
  if (phasesEnded.includes('setup') || place.run.signal.aborted) return;
  place.run.emit({ type: 'phase', phase: 'setup', state: 'started' });
  if (!(await makeReady(place))) return;
  place.run.emit({ type: 'phase', phase: 'setup', state: 'ended', reason: 'the ground is ready' });
}

export async function makeReady(place: Place): Promise<boolean> {
  const { home, repo, run } = place;
  const { setup } = run.config.worktree;
  if (!home || setup === undefined) return true;
  if (!(await runSetup(place, setup))) return false;
  // The setup may have made hooks.
  copyHooks(home.repo, repo);
  return true;
}

/** What it creates is not work. False if interrupted. */
async function runSetup(place: Place, command: string): Promise<boolean> {
  const dirt = new Set(await listDirt(place.repo));
  const [run] = (await runChecks(place, [plainCheck('setup', command)], { when: 'setup' })).runs;
  if (!run || run.result === 'interrupted') return false;
  if (run.result !== 'green')
    throw failed(
      `failed: ${command} (${run.reason ?? `exit ${run.exitCode}`})`,
      `Its output: ${run.log}. The next start tries again.`,
    );
  // They would be mistaken for the first task's work.
  const changed = (await listDirt(place.repo)).filter((file) => !dirt.has(file));
  if (changed.length > 0)
    throw failed(
      `(${command}) changed committed files: ${fewOf(changed)}`,
      'Use a command that does not change them, such as npm ci, and restore them in the working tree.',
    );
  return true;
}

const failed = (what: string, hint: string) => new Failure('environment', `worktree.setup ${what}`, { hint });
