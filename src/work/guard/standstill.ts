// While no session works in the run's own tree, even after a kill, changes are saved, undone and named; new files stay.
import { defined } from '../../defined.ts';
import { moversOf } from '../../git/protect/further.ts';
import { readHead, readHeadCommit, type Snapshot, type Still } from '../../git/protect/snapshot.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import { changedNames } from '../../git/tree/changes.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
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
  const before = await begin(place, who);
  try {
    return await act();
  } finally {
    await end(place, before);
  }
}

/** In a dialogue or report the tree is the person's: only git is looked after. */
async function begin(place: Place, who: Still['who']): Promise<Snapshot> {
  const git = await snapshotBefore(place);
  const before = isLent(place) ? { ...git, ...(await holdStill(place, who)) } : git;
  writeKeptSnapshot(place, before);
  return before;
}

async function holdStill(place: Place, who: Still['who']) {
  const rescue = await saveRescuePoint(place, `before a ${who} looks`);
  const plan = place.run.options.review ? undefined : readText(place.plan.file);
  return { rescue, still: { who, ...defined({ plan }) } };
}

function isLent({ run: { options } }: Place): boolean {
  return !options.planning && !options.review?.reportOnly;
}

/** One that a kill left; edits that a person says are theirs stay. */
export async function endLeftStandstill(place: Place): Promise<void> {
  const before = readKeptSnapshot(place);
  if (before?.still) await end(place, before, { takesEdits: place.run.options.takeEdits });
}

async function end(place: Place, before: Snapshot, { takesEdits = false } = {}): Promise<void> {
  const { still, rescue, ...git } = before;
  await restoreGit(place, before);
  if (!still || rescue === undefined) return;
  if (!takesEdits) await putTreeBack(place, { who: still.who, from: rescue, head: before.head });
  writeKeptSnapshot(place, git);
}

/** Undoes what a session's identity shows as its doing, and restores the plan. Throws if a person switched branches. */
async function restoreGit(place: Place, before: Snapshot): Promise<void> {
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
  const plan = before.still?.plan;
  if (plan !== undefined) restorePlan(place, { text: plan, plan: parsePlan(plan, place.plan.file) }, {});
}

function movedBySession({ repo, run }: Place, before: Snapshot): boolean {
  const isMoved = readHead(repo).branch !== before.branch;
  const refs = ['HEAD', `refs/heads/${run.state().started.branch}`];
  const emails = refs.flatMap((ref) => moversOf(repo, ref, before.head).slice(0, 1));
  return (isMoved || emails.length > 0) && emails.some((email) => sessionOf(email, run.id) !== undefined);
}

async function putTreeBack(place: Place, before: TreeBefore): Promise<void> {
  const reason = `as it was after a ${before.who} had looked`;
  const { oid: now } = await saveRescue(place.repo, { run: place.run.id, reason, ...rescueOptions(place) });
  if (now !== before.from) await undoChanges(place, before, now);
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
  const { tree: now, look } = await writeTreeNow(place);
  const { commit: head } = look.head;
  if (look.entries.length === 0) noteLook(place, look);
  if (head === undefined || look.entries.length === 0) return;
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
