// While lanes work, nobody does in the run's own ground: what a session did there is undone, but kept in git.
import { sharedRef } from '../../git/lane/ground-home.ts';
import { restoreProtectedFiles } from '../../git/restore/restore-protected-files.ts';
import { changeRefs, readRef } from '../../git/run/head.ts';
import { pawlRef } from '../../git/run/refs.ts';
import { setIndex } from '../../git/tree/index-file.ts';
import type { Place } from '../../place/place.ts';
import { emitViolations } from '../../work/guard/violations.ts';
import { bringTreeTo } from '../../work/rescue/rescue-point.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { headOf } from './lanes.ts';

/** Puts back settings and hooks, which pawl's own git would obey. */
export function guardTrunk(trunk: Place): void {
  const before = readKeptSnapshot(trunk);
  const changes = before ? restoreProtectedFiles(trunk.repo, before.guarded) : [];
  const violations = changes.map(({ taken: _, ...change }) => change);
  emitViolations(trunk, { past: trunk.run.state().violations, whose: {}, violations });
}

export async function putBranchBack(trunk: Place, known: string): Promise<void> {
  const { repo, run } = trunk;
  const head = await headOf(trunk);
  if (head === known) return;
  const { branch } = run.state().started;
  const ref = `refs/heads/${branch}`;
  const kept = pawlRef(run.id, `kept/heads/${head}`);
  const old = await readRef(repo, kept);
  await changeRefs(repo, 'put branch back', [
    { ref: kept, now: head, old },
    { ref, now: known, old: head },
  ]);
  await setIndex(repo, known);
  await trunk.home?.keep();
  run.emit({ type: 'act-found', act: 'committed', detail: ref, response: 'put-back', kept });
}

export async function tidyTrunk(trunk: Place, known?: string): Promise<void> {
  const { branch } = trunk.run.state().started;
  guardTrunk(trunk);
  const head = known ?? (await readRef(trunk.repo, sharedRef(branch)));
  if (head !== undefined) await putBranchBack(trunk, head);
  await bringTreeTo(trunk, 'HEAD', {
    reason: 'what was written into the run’s own ground while tasks were worked on in lanes',
  });
}
