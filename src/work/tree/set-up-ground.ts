// Prepares a ground for checks, and tries variants of a commit in one.
import path from 'node:path';
import { commitPoint } from '../../git/rescue/rescue-commit.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { inKeptGround } from '../../ground/in-ground.ts';
import type { Ground } from '../../ground/make.ts';
import { inRun } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { openTrials } from '../../proof/ground-trials.ts';
import { CutShort, type Trials } from '../../proof/lab.ts';
import { configuredChecks, type PlacedCheck } from '../work.ts';
import { runOneCheck } from './run-checks.ts';

/** Returns why it failed, else undefined. */
export async function setUpGround(place: Place, ground: Ground): Promise<string | undefined> {
  const { setup } = place.run.config.worktree;
  const [check] = setup === undefined ? [] : configuredChecks([setup]);
  if (!check) return undefined;
  const { result } = await runOneCheck(place, { ...check, cwd: '.' }, { when: 'setup', ground });
  return result === 'green' ? undefined : `worktree.setup failed in a fresh checkout: ${setup}`;
}

export type Tried = Readonly<{
  commit: string;
  checks: readonly PlacedCheck[];
  task?: string | undefined;
}>;

/** A commit of a tree not committed yet; no ref names it. */
export function commitOf({ repo }: Place, { tree, look }: WrittenTree): Promise<string> {
  const parents = look.head.commit === undefined ? [] : [look.head.commit];
  return commitPoint(repo, tree, { parents, message: 'a tree as it would be committed\n' });
}

/** Undefined: no ground could be prepared, or interrupted. */
export async function inTrials<R>(
  place: Place,
  { commit, checks, task }: Tried,
  act: (trials: Trials) => Promise<R>,
): Promise<R | undefined> {
  const { spawn, sweep, shell, run } = place;
  let isFirstRed: boolean | undefined;
  const actIn = async (ground: Ground): Promise<R | undefined> => {
    if ((await setUpGround(place, ground)) !== undefined) return undefined;
    const name = `prove-${(task ?? 'end').replaceAll(/[^A-Za-z0-9.-]/g, '-')}-${run.random(4)}`;
    const trials = await openTrials({
      ...{ repo: ground.repo, head: commit, checks },
      deps: {
        ...{ spawn, sweep, shell, timeoutMs: run.config.clocks.check, signal: run.signal },
        ...{ root: ground.root, env: ground.env(place.env) },
      },
      markOf: (trial) => `PAWL_CHECK=${run.folder}/${name}-${trial}`,
      log: path.join(run.folder, inRun.checks, `${name}.log`),
      now: () => run.now().getTime(),
      onEnd: (_what, { result }) => {
        isFirstRed ??= result !== 'green';
      },
    });
    try {
      return await act(trials);
    } catch (error) {
      if (error instanceof CutShort) return undefined;
      throw error;
    }
  };
  return inKeptGround(place, { use: 'prove', commit }, { act: actIn, isDoubtful: () => isFirstRed ?? true });
}
