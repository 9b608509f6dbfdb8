// Runs a work's checks on tree T, and again if they changed it.

import type { CheckRun } from '../../check/check-run.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { sortCheckWrites } from '../guard/check-writes.ts';
import type { WorkPlace } from '../landing.ts';
import { writeWorkTree } from '../note-tree.ts';
import { isCutShort, runChecks } from '../tree/run-checks.ts';
import { checksOf, type Work } from '../work.ts';

/** `restless`: tracked files that the checks write every time. */
export type Checked = Readonly<{
  tree: WrittenTree;
  runs: readonly CheckRun[] | undefined;
  restless: readonly string[];
  cutShort: boolean;
}>;

/** Changes of the tree during checks, before that is the work's fault. */
const [mostOwn, mostOthers] = [2, 3];

/** If tracked files changed, runs again: on what the checks wrote, without others' changes. */
export async function checkTree(place: WorkPlace, work: Work, first: WrittenTree): Promise<Checked> {
  const checks = checksOf(place, work.planSnapshot, work.task);
  let tree = first;
  for (let [own, others] = [0, 0]; ; ) {
    const { runs, after: look } = await runChecks(place, checks, {
      when: 'after',
      task: work.task,
      look: tree.look,
    });
    const after = runs.length === 0 ? tree : await writeWorkTree(place, work, 'check', { look, last: tree });
    const cutShort = isCutShort(place, checks, runs);
    if (after.tree === tree.tree || cutShort) return { tree: after, runs, restless: [], cutShort };
    const writes = await sortCheckWrites(place, checks, {
      ...{ before: tree.tree, after: after.tree, head: after.look.head.commit ?? '' },
    });
    if (writes.others.length > 0) others += 1;
    else own += 1;
    const restless = writes.files.length > 0 ? writes.files : ['a tracked file'];
    tree = writes.others.length > 0 ? await writeWorkTree(place, work, 'check', { last: after }) : after;
    if (own === mostOwn || others === mostOthers) return { tree, runs, restless, cutShort };
  }
}
