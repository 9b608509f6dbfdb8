// Runs the checks of a piece of work on tree T, and once more if they changed it.
import type { CheckRun } from '../../check/check-run.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { writeWorkTree } from '../note-tree.ts';
import type { WorkPlace } from '../ports.ts';
import { isCutShort } from '../tree/run-checks.ts';
import { checksOf, stateOf, type Work } from '../work.ts';

/** A tree after its checks: their results, and the tracked files that they write every time. */
export type Checked = Readonly<{
  tree: WrittenTree;
  runs: readonly CheckRun[] | undefined;
  restless: readonly string[];
  cutShort: boolean;
}>;

/** Runs the checks; if they changed tracked files, runs them once more on the changed tree. */
export async function checkTree(place: WorkPlace, work: Work, first: WrittenTree): Promise<Checked> {
  const checks = checksOf(place, work.planSnapshot, work.task);
  let tree = first;
  for (let pass = 1; ; pass += 1) {
    const { checks: past } = stateOf(place, work.task);
    const { runs: found, after: seen } = await place.ports.checks.run(place, checks, {
      when: 'after',
      task: work.task,
      look: tree.look,
    });
    const runs = (await place.landing?.confirmReds(work, found, past)) ?? found;
    // The second run may have written into the tree.
    const look = runs === found ? seen : undefined;
    const after = runs.length === 0 ? tree : await writeWorkTree(place, work, 'check', { look, last: tree });
    const cutShort = isCutShort(place, checks, runs);
    const restless = after.tree === tree.tree ? [] : changedBetween(tree, after);
    if (restless.length === 0 || pass === 2 || cutShort) return { tree: after, runs, restless, cutShort };
    tree = after;
  }
}

function changedBetween(before: WrittenTree, after: WrittenTree): readonly string[] {
  const old = new Map(before.files.map((file) => [file.file, JSON.stringify(file)]));
  const names = after.files
    .filter((file) => old.get(file.file) !== JSON.stringify(file))
    .map(({ file }) => file);
  return names.length > 0 ? names : ['a tracked file'];
}
