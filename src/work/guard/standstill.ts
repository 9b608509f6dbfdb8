// While no session works in the run's own tree, even after a kill, changes are saved, undone and named; new files stay.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { removeFile } from '../../disk.ts';
import { moversOf } from '../../git/protect/further.ts';
import { readHead, readHeadCommit, type Snapshot } from '../../git/protect/snapshot.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { orElse } from '../../or-else.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { writeFileAtomic } from '../../write-file.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { readText, restorePlan } from '../plan/plan-snapshot.ts';
import { recordLeftTree, rescueOptions, restoreOptions, saveRescuePoint } from '../rescue/rescue-point.ts';
import { readKeptSnapshot, writeKeptSnapshot } from '../restart-files.ts';
import { sessionOf } from '../session/identity.ts';
import { noteLook, writeTreeNow } from '../tree/work-tree.ts';
import { snapshotBefore } from './guard.ts';
import { changesBetween, emitViolations, putBack, type Who } from './put-back.ts';

/** For sessions, or end checks, that may change nothing. */
export async function whileStill<R>(place: Place, who: Still['who'], act: () => Promise<R>): Promise<R> {
  const begun = await begin(place, who);
  try {
    return await act();
  } finally {
    if (begun) await endStandstill(place, begun);
    else await restoreGit(place, undefined);
  }
}

const stillSchema = z.object({
  who: z.enum(['reviewer', 'planner', 'check']),
  rescue: z.string(),
  head: z.string(),
  plan: z.string().optional(),
});

type Still = z.infer<typeof stillSchema>;

/** In a dialogue or report the tree is the person's: only git is looked after. */
async function begin(place: Place, who: Still['who']): Promise<Still | undefined> {
  writeKeptSnapshot(place, await snapshotBefore(place));
  if (!isLent(place)) return undefined;
  const rescue = await saveRescuePoint(place, `before a ${who} looks`);
  const head = await readHeadCommit(place.repo);
  const plan = place.run.options.review ? undefined : readText(place.plan.file);
  const still: Still = { who, rescue, head, ...defined({ plan }) };
  writeFileAtomic(fileOf(place), JSON.stringify(still), 0o600);
  return still;
}

function isLent({ run: { options } }: Place): boolean {
  return !options.planning && !options.review?.reportOnly;
}

/** One that a kill left; edits that a person says are theirs stay. */
export async function endLeftStandstill(place: Place): Promise<void> {
  const text = orElse(() => readFileSync(fileOf(place), 'utf8'), undefined);
  const still = text === undefined ? undefined : stillSchema.safeParse(JSON.parse(text)).data;
  if (!still) return;
  if (!place.run.options.takeEdits) return endStandstill(place, still);
  await restoreGit(place, still.plan);
  removeFile(fileOf(place));
}

async function endStandstill(place: Place, still: Still): Promise<void> {
  await restoreGit(place, still.plan);
  await putTreeBack(place, still);
  removeFile(fileOf(place));
}

/** Undoes what a session's identity shows as its doing, and restores the plan. Throws if a person switched branches. */
async function restoreGit(place: Place, plan: string | undefined): Promise<void> {
  const before = readKeptSnapshot(place);
  if (!before) return;
  const isMoved = movedBySession(place, before);
  if (isLent(place) && !isMoved) refuseElsewhere(place);
  const { violations: past } = place.run.state();
  const { violations } = await restoreRepository(place.repo, before, {
    ...restoreOptions(place),
    leavesHead: !isMoved,
    mayMake: false,
  });
  emitViolations(place, {
    past,
    whose: {},
    // What it committed is in no commit of pawl's either.
    violations: violations.map((one) =>
      one.response === 'absorbed' ? { ...one, response: 'put-back' as const } : one,
    ),
  });
  if (plan !== undefined) restorePlan(place, { text: plan, plan: parsePlan(plan, place.plan.file) }, {});
}

function movedBySession({ repo, run }: Place, before: Snapshot): boolean {
  const isMoved = readHead(repo).branch !== before.branch;
  const refs = ['HEAD', `refs/heads/${run.state().started.branch}`];
  const emails = refs.flatMap((ref) => moversOf(repo, ref, before.head).slice(0, 1));
  return (isMoved || emails.length > 0) && emails.some((email) => sessionOf(email, run.id) !== undefined);
}

async function putTreeBack(place: Place, { who, rescue, head }: Still): Promise<void> {
  const reason = `as it was after a ${who} had looked`;
  const { oid: now } = await saveRescue(place.repo, { run: place.run.id, reason, ...rescueOptions(place) });
  if (now !== rescue) await undoChanges(place, { who, from: rescue, now, head });
}

/** While pawl waits, between two sessions of a task. */
export async function whileWaiting(place: Place, act: () => Promise<void>): Promise<void> {
  if (place.lane || !isLent(place)) return act();
  const { tree, head } = await recordLeftTree(place);
  await act();
  // Of another branch nothing is touched: the next look refuses it.
  if (readHead(place.repo).branch !== place.run.state().started.branch) return;
  const { tree: now } = await writeTreeNow(place);
  if (now !== tree) await undoChanges(place, { who: 'pawl', from: tree, now, head });
}

/** Between two tasks the tree is the last commit's. */
export async function settleTree(place: Place): Promise<void> {
  const { tree: now, look } = await writeTreeNow(place);
  const { commit: head } = look.head;
  if (look.entries.length === 0) noteLook(place, look);
  if (head === undefined || look.entries.length === 0) return;
  await undoChanges(place, { who: 'pawl', from: `${head}^{tree}`, now, head });
}

/** What a person has committed since `head`, and new files, stay. */
async function undoChanges(
  place: Place,
  { who, from, now, head }: Readonly<{ who: Who; from: string; now: string; head: string }>,
): Promise<void> {
  const isMoved = (await readHeadCommit(place.repo)) !== head;
  const committed = isMoved ? await committedSince(place, head) : [];
  const changes = (await changesBetween(place, from, now)).filter(({ file }) => !committed.includes(file));
  await putBack(place, { who, tree: from, back: changes.filter(({ was }) => was !== undefined) });
  const known = new Set([...untrackedIn(place), ...leftOutIn(place)]);
  const made = changes
    .filter(({ was, file }) => was === undefined && !known.has(file))
    .map(({ file }) => file);
  if (made.length > 0) place.run.emit({ type: 'files-made', files: made, by: 'beside' });
}

/** Files of commits made since, which the tree still has as committed. */
async function committedSince(place: Place, from: string): Promise<readonly string[]> {
  const { tree } = await writeTreeNow(place);
  const dirty = new Set(await changedNames(place.repo, 'HEAD', tree));
  return (await changedNames(place.repo, from, 'HEAD')).filter((file) => !dirty.has(file));
}

function fileOf({ run }: Place): string {
  return path.join(run.folder, 'standstill.json');
}
