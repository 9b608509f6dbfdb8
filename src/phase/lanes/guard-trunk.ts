// Guards the run's own tree while tasks are worked on in lanes. Config and hooks: git would obey what a session outside its
// lane wrote there. The plan's file: changes do not count until a person takes them. Other refs and files, once the lanes
// rest. Changes by a session are undone; possible changes by a person are reported. The earlier state is saved, so that it
// is still known after a kill.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile } from '../../disk.ts';
import { isGuardIntact, readProtectedFiles } from '../../git/protect/protected-files.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import { parseSnapshot, writeSnapshot } from '../../git/protect/snapshot-text.ts';
import { heldFiles, writeMissing } from '../../git/rescue/exact-files.ts';
import { restoreGuarded, restoreRepository } from '../../git/restore/restore-repository.ts';
import { fewOf } from '../../git/run/names.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { tickIfThere } from '../../plan/tick.ts';
import { snapshotBefore } from '../../work/guard/guard.ts';
import { emitViolations } from '../../work/guard/violations.ts';
import { readText, restorePlan } from '../../work/plan/plan-snapshot.ts';
import { restoreOptions, saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { headOf } from './incoming.ts';
import { isFollowPending } from './land.ts';

/**
 * The earlier state, the rescue point that holds its files, and the number of the last session before it. `plan`: the
 * plan's bytes.
 */
type Guard = Readonly<{ after: number; rescue: string; before: Snapshot; plan: string }>;

/** Records the current state. `look` checks config, hooks and plan; `end` checks everything, for the last time. */
export async function guardTrunk(
  trunk: Place,
): Promise<Readonly<{ look: () => Promise<void>; end: () => Promise<void> }>> {
  const after = Math.max(0, ...trunk.run.state().sessions.keys());
  const rescue = await saveRescuePoint(trunk, 'the run’s own tree before tasks were worked on in lanes');
  const before = await snapshotBefore(trunk);
  let guard: Guard = { after, rescue, before, plan: readText(trunk.plan.file) };
  keep(trunk, guard);
  const look = async () => {
    guard = await lookAfter(trunk, guard);
    await putPlanBack(trunk, guard);
  };
  return {
    look,
    end: async () => {
      await look();
      await restoreRest(trunk, guard);
      removeFile(keptFile(trunk));
    },
  };
}

/** Looks on behalf of an earlier process that was killed, before any git obeys what was written there. */
export async function lookForKilled(trunk: Place): Promise<void> {
  const guard = readGuard(trunk);
  if (guard) await lookAfter(trunk, guard);
}

/** Ends that process's guard, once the plan's file has followed the branch. */
export async function endTrunkGuard(trunk: Place): Promise<void> {
  const guard = readGuard(trunk);
  if (!guard) return;
  await putPlanBack(trunk, guard);
  await restoreRest(trunk, guard);
  removeFile(keptFile(trunk));
}

/** The plan given to lanes if it is in no commit, whatever its file contains by now. */
export function guardedPlan(trunk: Place): string {
  const guard = readGuard(trunk);
  return guard ? withTicks(trunk, guard.plan) : readText(trunk.plan.file);
}

/**
 * Restores the plan from the branch; if it is not in the branch, from what was there, with the ticks of what has closed
 * since.
 */
async function putPlanBack(trunk: Place, guard: Guard): Promise<void> {
  const { plan, repo, run } = trunk;
  if (run.options.review) return;
  let text: string | undefined;
  if (plan.tracked) {
    const head = await headOf(trunk);
    text = (await readBlobs(repo, head, [plan.name])).get(plan.name);
    // While another lane is landing, its tick is still on the way.
    if ((await headOf(trunk)) !== head) return;
  } else text = withTicks(trunk, guard.plan);
  if (text !== undefined && !isFollowPending(trunk))
    restorePlan(trunk, { text, plan: parsePlan(text, plan.file) }, {});
}

function withTicks({ run, plan: { file } }: Place, text: string): string {
  const closed = [...run.state().tasks.values()].filter(({ standing }) => standing === 'closed');
  return closed.reduce((now, { id }) => tickIfThere(now, id, file), text);
}

/** Restores other refs, and files that are gone from the tree and were in no commit. All other files are a person's. */
async function restoreRest(trunk: Place, { before, rescue }: Guard): Promise<void> {
  const { repo, run } = trunk;
  const head = await headOf(trunk);
  const refs = new Map([...before.refs, [`refs/heads/${run.state().started.branch}`, head] as const]);
  const { violations } = await restoreRepository(
    repo,
    { ...before, head, refs },
    { ...restoreOptions(trunk), leavesHead: true },
  );
  emitViolations(trunk, { past: run.state().violations, whose: {}, violations });
  const held = await heldFiles(repo, rescue);
  const committed = await readBlobs(
    repo,
    before.head,
    held.map(({ file }) => file),
  );
  const own = new Set(held.map(({ file }) => file).filter((file) => !committed.has(file)));
  const back = await writeMissing(repo, held, own);
  if (back.length === 0) return;
  const act = { act: 'changed-user-file', detail: fewOf(back), response: 'put-back', kept: rescue } as const;
  run.emit({ type: 'act-found', ...act });
}

async function lookAfter(trunk: Place, guard: Guard): Promise<Guard> {
  const { repo, run } = trunk;
  const { before } = guard;
  const { guarded } = before;
  if (isGuardIntact(repo, guarded)) return guard;
  const violations = await restoreGuarded(repo, guarded, run);
  emitViolations(trunk, { past: run.state().violations, whose: {}, violations });
  const now = { ...guard, before: { ...before, guarded: readProtectedFiles(repo) } };
  keep(trunk, now);
  return now;
}

/** Format: number and rescue point in the first line, the snapshot in the second, then the plan. */
function keep(trunk: Place, { after, rescue, before, plan }: Guard): void {
  makeFolder(path.dirname(keptFile(trunk)), 0o700);
  writeFileAtomic(
    keptFile(trunk),
    `${after} ${rescue}\n${writeSnapshot(before, trunk.repo)}\n${plan}`,
    0o600,
  );
}

function readGuard(trunk: Place): Guard | undefined {
  const file = keptFile(trunk);
  if (!existsSync(file)) return undefined;
  const [first = '', snapshot = '', ...plan] = readFileSync(file, 'utf8').split('\n');
  const [after, rescue = ''] = first.split(' ');
  return { after: Number(after), rescue, before: parseSnapshot(snapshot, trunk.repo), plan: plan.join('\n') };
}

function keptFile({ run }: Place): string {
  return path.join(run.folder, 'lanes', 'trunk');
}
