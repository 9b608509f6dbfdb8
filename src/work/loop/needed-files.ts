// Files that a check made earlier and that changed since the run's first session, but not by an agent's tool: a session
// wrote them from a shell, or its own run of the checks did. Which it was is decided by running the checks without them.
import { changeTimeOf } from '../../git/tree/entry.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { leftOutIn, type Place } from '../../place/place.ts';
import { openLab } from '../../proof/lab.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../note-tree.ts';
import { redOnes } from '../tree/run-checks.ts';
import { commitOf, inTrials } from '../tree/set-up-ground.ts';
import { checksOf, type Work } from '../work.ts';
import type { Checked } from './check-tree.ts';

export type Changed = ReadonlyMap<string, number>;

/**
 * Files made by checks that changed since the run's first session began; one that an earlier task did without may be needed
 * by this one. Must be asked before a round's checks, whose own writes would count too.
 */
export function findChangedMade(place: Place, work: Work): Changed {
  const { sessions } = place.run.state();
  const [first] = sessions.values();
  if (!first || work.kind === 'finalize') return new Map();
  const since = Date.parse(first.started.at);
  const times = leftOutIn(place).map((file) => [file, changeTimeOf(place.repo, file) ?? 0] as const);
  return new Map(times.filter(([file, ms]) => ms >= since && !file.endsWith('/')));
}

/**
 * `tree`: tree T including the files that are work; `hasMore`: there were some. `unproved`: why green checks prove nothing,
 * in words.
 */
type NeededFiles = Readonly<{
  tree: WrittenTree;
  hasMore: boolean;
  unproved: readonly string[];
  cutShort: boolean;
}>;

/**
 * Called after green checks that left those files alone. If the checks are green in a fresh checkout without them, they
 * stay out of the commit. If red without and green with them, all of them are journaled as the session's work. If red
 * either way, nobody knows.
 */
export async function takeNeeded(
  place: WorkPlace,
  work: Work,
  { checked, changed }: Readonly<{ checked: Checked; changed: Changed }>,
): Promise<NeededFiles> {
  const { run, repo } = place;
  const { tree, runs = [], restless, cutShort } = checked;
  const kept = { tree, hasMore: false, unproved: [], cutShort };
  const files = [...changed].flatMap(([file, ms]) => (changeTimeOf(repo, file) === ms ? file : []));
  const isGreen = runs.length > 0 && redOnes(runs).length === 0 && restless.length === 0 && !cutShort;
  if (files.length === 0 || !isGreen) return kept;
  const checks = checksOf(place, work.planSnapshot, work.task).filter(({ knownRed }) => !knownRed);
  const commit = await commitOf(place, tree);
  const isGreenWith = async (beside: readonly string[]): Promise<boolean> => {
    const tried = { commit, checks, task: work.task.id, beside };
    return (
      (await inTrials(place, tried, (trials) =>
        openLab(trials).isRed('the work in a fresh checkout', new Map()),
      )) === false
    );
  };
  if (await isGreenWith([])) return kept;
  const areNeeded = !run.signal.aborted && (await isGreenWith(files));
  if (run.signal.aborted) return { ...kept, cutShort: true };
  if (areNeeded) {
    run.emit({ type: 'files-made', files, by: 'session' });
    return { ...kept, tree: await writeWorkTree(place, work, 'session'), hasMore: true };
  }
  const names = files.join(', ');
  const unproved = [
    `they are red in a fresh checkout, and the commit lacks ${names}, which a check once made and which has changed since`,
  ];
  return { ...kept, unproved };
}
