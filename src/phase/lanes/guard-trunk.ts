// Looks after config and hooks of the run's own tree while tasks are worked on in lanes: git would obey what a session that
// left its lane wrote there. What is known to be a session's is put back; what may be a person's is told. It is kept how they
// were, so that a kill makes nobody a person.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { changedFiles, isGuardIntact, readProtectedFiles } from '../../git/protect/protected-files.ts';
import { type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { parseSnapshot, writeSnapshot } from '../../git/protect/snapshot-text.ts';
import { restoreGuarded } from '../../git/restore/restore-repository.ts';
import type { Place } from '../../place/place.ts';
import { emitViolations } from '../../work/guard/guard.ts';
import { readSuspects } from '../../work/guard/suspects.ts';
import { writeFileAtomic } from '../../write-file.ts';

/** How it was, and the number of the last session before. */
type Guard = Readonly<{ after: number; before: Snapshot }>;

/** Remembers them as they are. `look` looks at them again, `end` for the last time. */
export async function guardTrunk(
  trunk: Place,
): Promise<Readonly<{ look: () => Promise<void>; end: () => Promise<void> }>> {
  const after = Math.max(0, ...trunk.run.state().sessions.keys());
  let guard: Guard = { after, before: await takeSnapshot(trunk.repo) };
  keep(trunk, guard);
  const look = async () => {
    guard = await lookAfter(trunk, guard);
  };
  return {
    look,
    end: async () => {
      await look();
      removeFile(keptFile(trunk));
    },
  };
}

/** Looks for the last time on behalf of a life of the run that was cut off; before any git obeys what was written there. */
export async function endTrunkGuard(trunk: Place): Promise<void> {
  const file = keptFile(trunk);
  if (!existsSync(file)) return;
  const [after = '', ...text] = readFileSync(file, 'utf8').split('\n');
  await lookAfter(trunk, { after: Number(after), before: parseSnapshot(text.join('\n'), trunk.repo) });
  removeFile(file);
}

async function lookAfter(trunk: Place, guard: Guard): Promise<Guard> {
  const { repo, run } = trunk;
  const { after, before } = guard;
  const { guarded } = before;
  if (isGuardIntact(repo, guarded)) return guard;
  const suspects = readSuspects(trunk, after, before);
  const changed = changedFiles(guarded, readProtectedFiles(repo));
  const files = changed.map(({ file }) => path.relative(repo.root, file));
  const isSessions = suspects.movedHead || suspects.reached || files.some((file) => suspects.wrote(file));
  const violations = isSessions
    ? await restoreGuarded(repo, guarded, run)
    : changed.map(({ what }, at) => ({
        act: what === 'hook' ? ('changed-hooks' as const) : ('changed-git-config' as const),
        detail: `${files[at]}, by a person or by a session that left its lane`,
        response: 'reported' as const,
      }));
  emitViolations(trunk, { past: run.state().violations, whose: {}, violations });
  const now = { after, before: { ...before, guarded: readProtectedFiles(repo) } };
  keep(trunk, now);
  return now;
}

/** The number in the first line, then the snapshot. */
function keep(trunk: Place, { after, before }: Guard): void {
  makeFolder(path.dirname(keptFile(trunk)), 0o700);
  writeFileAtomic(keptFile(trunk), `${after}\n${writeSnapshot(before, trunk.repo)}`, 0o600);
}

function keptFile({ run }: Place): string {
  return path.join(run.folder, 'lanes', 'trunk.json');
}
