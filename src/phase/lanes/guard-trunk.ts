// Looks after the run's own tree while tasks are worked on in lanes. Config and hooks: git would obey what a session that left
// its lane wrote there; what is known to be a session's is put back, what may be a person's is told. The plan's file: what
// changes in it meanwhile counts for nobody until a person takes it. How all was is kept: a kill makes nobody a person.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { changedFiles, isGuardIntact, readProtectedFiles } from '../../git/protect/protected-files.ts';
import { type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { parseSnapshot, writeSnapshot } from '../../git/protect/snapshot-text.ts';
import { restoreGuarded } from '../../git/restore/restore-repository.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { tickTask } from '../../plan/tick.ts';
import { emitViolations } from '../../work/guard/guard.ts';
import { readSuspects } from '../../work/guard/suspects.ts';
import { readText, restorePlan } from '../../work/plan/plan-snapshot.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { headOf } from './incoming.ts';
import { isFollowPending } from './land.ts';

/** How it was, and the number of the last session before. `plan`: its bytes. */
type Guard = Readonly<{ after: number; before: Snapshot; plan: string }>;

/** Remembers them as they are. `look` looks at them again, `end` for the last time. */
export async function guardTrunk(
  trunk: Place,
): Promise<Readonly<{ look: () => Promise<void>; end: () => Promise<void> }>> {
  const after = Math.max(0, ...trunk.run.state().sessions.keys());
  let guard: Guard = { after, before: await takeSnapshot(trunk.repo), plan: readText(trunk.plan.file) };
  keep(trunk, guard);
  const look = async () => {
    guard = await lookAfter(trunk, guard);
    await putPlanBack(trunk, guard);
  };
  return {
    look,
    end: async () => {
      await look();
      removeFile(keptFile(trunk));
    },
  };
}

/** Looks on behalf of a life of the run that was cut off, before any git obeys what was written there. */
export async function lookForKilled(trunk: Place): Promise<void> {
  const guard = readGuard(trunk);
  if (guard) await lookAfter(trunk, guard);
}

/** Ends the guard of such a life, once the plan's file has followed the branch. */
export async function endTrunkGuard(trunk: Place): Promise<void> {
  const guard = readGuard(trunk);
  if (!guard) return;
  await putPlanBack(trunk, guard);
  removeFile(keptFile(trunk));
}

/** The plan that lanes are given where it is in no commit: whatever stands in its file by now. */
export function guardedPlan(trunk: Place): string {
  const guard = readGuard(trunk);
  return guard ? withTicks(trunk, guard.plan) : readText(trunk.plan.file);
}

/** The branch has the truth; without it, what was there and the ticks of what was closed since. */
async function putPlanBack(trunk: Place, guard: Guard): Promise<void> {
  const { plan, repo, run } = trunk;
  if (run.options.review) return;
  let text: string | undefined;
  if (plan.tracked) {
    const head = await headOf(trunk);
    text = (await readBlobs(repo, head, [plan.name])).get(plan.name);
    // While another lane lands, its tick is on its way.
    if ((await headOf(trunk)) !== head) return;
  } else text = withTicks(trunk, guard.plan);
  if (text !== undefined && !isFollowPending(trunk))
    restorePlan(trunk, { text, plan: parsePlan(text, plan.file) }, {});
}

function withTicks({ run, plan: { file } }: Place, text: string): string {
  const closed = [...run.state().tasks.values()].filter(({ standing }) => standing === 'closed');
  return closed.reduce((now, { id }) => {
    const parsed = parsePlan(now, file);
    return parsed.tasks.some((task) => task.id === id) ? tickTask(parsed, id) : now;
  }, text);
}

async function lookAfter(trunk: Place, guard: Guard): Promise<Guard> {
  const { repo, run } = trunk;
  const { after, before, plan } = guard;
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
  const now = { after, plan, before: { ...before, guarded: readProtectedFiles(repo) } };
  keep(trunk, now);
  return now;
}

/** The number in the first line, the snapshot in the second, then the plan. */
function keep(trunk: Place, { after, before, plan }: Guard): void {
  makeFolder(path.dirname(keptFile(trunk)), 0o700);
  writeFileAtomic(keptFile(trunk), `${after}\n${writeSnapshot(before, trunk.repo)}\n${plan}`, 0o600);
}

function readGuard(trunk: Place): Guard | undefined {
  const file = keptFile(trunk);
  if (!existsSync(file)) return undefined;
  const [after = '', snapshot = '', ...plan] = readFileSync(file, 'utf8').split('\n');
  return { after: Number(after), before: parseSnapshot(snapshot, trunk.repo), plan: plan.join('\n') };
}

function keptFile({ run }: Place): string {
  return path.join(run.folder, 'lanes', 'trunk');
}
