// Saves a rescue point before anything is undone: nothing of the user's may be lost. Records the tree left to a person.
import { defined } from '../../defined.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { readExact, writeExact } from '../../git/rescue/exact-files.ts';
import { replayRescue } from '../../git/rescue/replay-rescue.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { restoreTree } from '../../git/rescue/restore-tree.ts';
import { rawOf } from '../../git/run/names.ts';
import { statAt } from '../../git/tree/entry.ts';
import type { Look } from '../../git/tree/look.ts';
import { findWorkState } from '../../journal/state.ts';
import { leftOutIn, type Place, untrackedIn } from '../../place/place.ts';
import { writeTreeNow } from '../tree/work-tree.ts';
import type { Work } from '../work.ts';

/**
 * Returns its commit. `task`: whose work is to leave the tree. `ignored`: files to hold too, names as raw bytes. `look`:
 * at the place's index, just now.
 */
export async function saveRescuePoint(
  place: Place,
  reason: string,
  { task, ignored = [], look }: Readonly<{ task?: string; ignored?: readonly string[]; look?: Look }> = {},
): Promise<string> {
  const { repo, run, home } = place;
  const seen = look && { look, index: place.index };
  const saved = await saveRescue(repo, { ...rescueOptions(place), reason, ignored, seen });
  await home?.keep();
  const ref = home?.homeOf(saved.ref) ?? saved.ref;
  const what = { ...defined({ task }), reason, ...saved, ref, notHeld: [...saved.notHeld] };
  run.emit({ type: 'rescue-saved', ...what });
  return saved.oid;
}

/**
 * Takes the tree, but not the plan, to the task's start, or HEAD if that moved, and restores a person's lost files.
 * Returns the rescue that holds everything, even after a kill.
 */
export async function restoreStart(place: Place, work: Pick<Work, 'start'>, reason: string): Promise<string> {
  const { task } = work.start;
  const rescue = await saveRescuePoint(place, reason, { task });
  const tree = await startTreeOf(place, work);
  const exact = work.start.rescue;
  const rules = { index: place.index, keep: keptFiles(place), stay: planOf(place) };
  await restoreTree(place.repo, { tree, rescue, exact, ...rules });
  // Every later task would lack them too.
  const own = new Set(untrackedIn(place));
  const held = (await readExact(place.repo, exact)).filter(({ file }) => own.has(file));
  const gone = held.filter(({ file }) => statAt(place.repo.root, rawOf(file)) === undefined);
  await writeExact(place.repo, gone);
  const state = findWorkState(place.run.state(), task);
  return state?.work.is === 'leaving' ? state.work.rescue : rescue;
}

async function startTreeOf({ repo }: Place, { start }: Pick<Work, 'start'>): Promise<string> {
  const head = await readHeadCommit(repo);
  return head === start.commit ? start.tree : head;
}

/**
 * Makes the tree match a revision; true if it differed. `tell`: gets the rescue of what it was before anything changes.
 */
export async function bringTreeTo(
  place: Place,
  treeish: string,
  { reason, tell }: Readonly<{ reason: string; tell?: (rescue: string) => void }>,
): Promise<boolean> {
  const tree = (await place.repo.git(['rev-parse', `${treeish}^{tree}`])).trim();
  if ((await writeTreeNow(place)).tree === tree) return false;
  const rescue = await saveRescuePoint(place, reason);
  tell?.(rescue);
  await restoreTree(place.repo, { tree, index: place.index, rescue, keep: keptFiles(place) });
  return true;
}

/** Reapplies the point to the work's start; returns files that others changed meanwhile, which stay. */
export async function replayPoint(
  place: Place,
  point: string,
  work: Pick<Work, 'start'>,
): Promise<readonly string[]> {
  const onto = await startTreeOf(place, work);
  const rules = { work: place.index, keep: keptFiles(place), stay: planOf(place), ...rescueOptions(place) };
  return replayRescue(place.repo, { point, onto, ...rules });
}

export function rescueOptions(place: Place) {
  return { run: place.run.id, index: `${place.index}.rescue` };
}

/** The plan as it is now is the truth, with a person's uncommitted edit. */
function planOf({ plan }: Place): ReadonlySet<string> {
  return new Set(plan.tracked ? [plan.name] : []);
}

/** No restore removes the user's untracked files, and those that are not work. */
export function keptFiles(place: Place): ReadonlySet<string> {
  return new Set([...untrackedIn(place), ...leftOutIn(place)]);
}

/** Later differences are a person's. */
export async function recordLeftTree(place: Place) {
  const { tree, refused, look } = await writeTreeNow(place);
  return { tree, head: look.head.commit ?? '', refused: refused.map(({ file }) => file) };
}
