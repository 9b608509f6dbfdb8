// While no session works in the run's own tree, even after a kill, changes are saved, undone and named; new files stay.
import { defined } from '../../defined.ts';
import { movesOf } from '../../git/protect/further.ts';
import { readHead, readHeadCommit, type Snapshot, type Still } from '../../git/protect/snapshot.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { changedNames } from '../../git/tree/changes.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile } from '../../plan/file.ts';
import { refuseElsewhere } from '../on-branch.ts';
import { restorePlan } from '../plan/plan-snapshot.ts';
import { keptFiles, recordLeftTree, rescueOptions, saveRescuePoint } from '../rescue/rescue-point.ts';
import { readKeptSnapshot, writeKeptSnapshot } from '../restart-files.ts';
import { sessionOf } from '../session/identity.ts';
import { lookNow, writeTreeNow } from '../tree/work-tree.ts';
import { restoreGit, snapshotBefore } from './guard.ts';
import { changesBetween, putBack, type Who } from './put-back.ts';

/** For sessions, or end checks, that may change nothing. In a dialogue or report only git is looked after. */
export async function whileStill<R>(place: Place, who: Still['who'], act: () => Promise<R>): Promise<R> {
  const { run } = place;
  const git = await snapshotBefore(place);
  const rescue = isLent(place) ? await saveRescuePoint(place, `before a ${who} looks`) : undefined;
  const plan = rescue === undefined || run.state().started.review ? undefined : readPlanFile(place.plan.file);
  const before = rescue === undefined ? git : { ...git, rescue, still: { who, ...defined({ plan }) } };
  writeKeptSnapshot(place, before);
  try {
    return await act();
  } finally {
    await end(place, before);
  }
}

/** Else the tree is the person's. */
function isLent({ run: { options, state } }: Place): boolean {
  return !options.planning && !state().started.review?.reportOnly;
}

/** One that a kill left; edits that a person says are theirs stay. */
export async function endLeftStandstill(place: Place): Promise<void> {
  const before = readKeptSnapshot(place);
  if (before?.still) await end(place, before, { takesEdits: place.run.options.takeEdits });
}

async function end(place: Place, before: Snapshot, { takesEdits = false } = {}): Promise<void> {
  const { still, rescue, ...git } = before;
  await restoreLook(place, before);
  if (!still || rescue === undefined) return;
  if (!takesEdits) {
    const reason = `as it was after a ${still.who} had looked`;
    const { oid } = await saveRescue(place.repo, { ...rescueOptions(place), reason });
    if (oid !== rescue) await undoChanges(place, { who: still.who, from: rescue, head: before.head }, oid);
  }
  writeKeptSnapshot(place, git);
}

/** Undoes what a session's identity shows as its doing, and restores the plan. Throws if a person switched branches. */
async function restoreLook(place: Place, before: Snapshot): Promise<void> {
  const isMoved = movedBySession(place, before);
  if (isLent(place) && !isMoved) refuseElsewhere(place);
  await restoreGit(place, before, { whose: {}, leavesHead: !isMoved, mayMake: false });
  const plan = before.still?.plan;
  if (plan !== undefined) restorePlan(place, plan, {});
}

function movedBySession({ repo, run }: Place, before: Snapshot): boolean {
  const isMoved = readHead(repo).branch !== before.branch;
  const refs = ['HEAD', `refs/heads/${run.state().started.branch}`];
  const emails = refs.flatMap((ref) => movesOf(repo, ref, before.head)[0]?.email ?? []);
  return (isMoved || emails.length > 0) && emails.some((email) => sessionOf(email, run.id) !== undefined);
}

/** While pawl waits, between two sessions of a task. */
export async function whileWaiting(place: Place, act: () => Promise<void>): Promise<void> {
  if (place.lane || !isLent(place)) return act();
  const { tree, head } = await recordLeftTree(place);
  await act();
  // Of another branch nothing is touched: the next look refuses it.
  if (readHead(place.repo).branch !== place.run.state().started.branch) return;
  const { tree: now } = await writeTreeNow(place);
  if (now !== tree) await undoChanges(place, { who: 'pawl', from: tree, head }, now);
}

/** Between two tasks the tree is the last commit's. */
export async function settleTree(place: Place): Promise<void> {
  const look = await lookNow(place);
  const { commit: head } = look.head;
  if (head === undefined || look.entries.length === 0) return;
  const { tree: now } = await writeTreeNow(place, look);
  await undoChanges(place, { who: 'pawl', from: `${head}^{tree}`, head }, now);
}

/** `from`: a tree or a rescue point. */
type TreeBefore = Readonly<{ who: Who; from: string; head: string }>;

/** What a person has committed since `head`, and new files, stay. */
async function undoChanges(place: Place, { who, from, head }: TreeBefore, now: string): Promise<void> {
  const isMoved = (await readHeadCommit(place.repo)) !== head;
  const committed = isMoved ? await committedSince(place, head) : [];
  const changes = (await changesBetween(place, from, now)).filter(({ file }) => !committed.includes(file));
  await putBack(place, { who, tree: from, back: changes.filter(({ was }) => was !== undefined) });
  const known = keptFiles(place);
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
