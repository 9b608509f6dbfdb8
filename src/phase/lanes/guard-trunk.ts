// Looks after config and hooks of the run's own tree while tasks are worked on in lanes: git would obey what a session that
// left its lane wrote there. What is known to be a session's is put back; what may be a person's is told.
import path from 'node:path';
import { changedFiles, isGuardIntact, readProtectedFiles } from '../../git/protect/protected-files.ts';
import { takeSnapshot } from '../../git/protect/snapshot.ts';
import { restoreGuarded } from '../../git/restore/restore-repository.ts';
import type { Place } from '../../place/place.ts';
import { emitViolations } from '../../work/guard/guard.ts';
import { readSuspects } from '../../work/guard/suspects.ts';

/** Remembers them as they are; what it returns looks at them again. */
export async function guardTrunk(trunk: Place): Promise<() => Promise<void>> {
  const { repo, run } = trunk;
  const before = await takeSnapshot(repo);
  const after = Math.max(0, ...run.state().sessions.keys());
  let { guarded } = before;
  return async () => {
    if (isGuardIntact(repo, guarded)) return;
    const suspects = readSuspects(trunk, after, before);
    const now = readProtectedFiles(repo);
    const files = changedFiles(guarded, now).map(({ file }) => path.relative(repo.root, file));
    const isSessions = suspects.movedHead || suspects.reached || files.some((file) => suspects.wrote(file));
    const violations = isSessions
      ? await restoreGuarded(repo, guarded, run)
      : changedFiles(guarded, now).map(({ what }, at) => ({
          act: what === 'hook' ? ('changed-hooks' as const) : ('changed-git-config' as const),
          detail: `${files[at]}, by a person or by a session that left its lane`,
          response: 'reported' as const,
        }));
    emitViolations(trunk, { past: run.state().violations, whose: {}, violations });
    guarded = readProtectedFiles(repo);
  };
}
