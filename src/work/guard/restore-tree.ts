// Compares the run's tree with the rescue point saved before reviewers or planners worked. Undoes changes by a session and
// restores removed files; possible edits by a person stay, and are kept out of commits.
import type { FactOf } from '../../event.ts';
import { heldFiles, writeMissing } from '../../git/rescue/exact-files.ts';
import { restoreTree, saveRescue } from '../../git/rescue/rescue.ts';
import { parsePoint } from '../../git/rescue/rescue-point.ts';
import { fewOf, nameOf, splitNul } from '../../git/run/names.ts';
import { readBlobs } from '../../git/tree/blob.ts';
import { setIndex } from '../../git/tree/index-file.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { rescueOptions, saveRescuePoint } from '../rescue/rescue-point.ts';
import { findReportChanges, formatReportChanges } from './report-tree.ts';
import type { Suspects } from './suspects.ts';

/** `landed`: files that pawl changed meanwhile; default none. */
type Given = Readonly<{
  watch: Readonly<{ who: Who; rescue?: string | undefined }>;
  suspects: Suspects;
  landed?: ReadonlySet<string>;
}>;

type Who = FactOf<'edits-left'>['who'];

/** The result. `back`: names of restored changes by a session; `left`: those that could not be restored. */
type TreeBack = Readonly<{ isChanged: boolean; back: readonly string[]; left?: readonly string[] }>;

const unchanged: TreeBack = { isChanged: false, back: [] };

type Before = Readonly<{ who: Who; before: string; landed: ReadonlySet<string> }>;

/** A file, and git's status letter for its change. */
export type Change = Readonly<{ file: string; how: string }>;

/** Compares the tree, and restores what is not a person's. */
export async function restoreWatchedTree(
  place: Place,
  { watch, suspects, landed = new Set() }: Given,
): Promise<TreeBack> {
  const { who, rescue: before } = watch;
  if (before === undefined) return reportTree(place, suspects);
  const reason = 'what stood in the run’s tree afterwards';
  const now = await saveRescue(place.repo, { run: place.run.id, reason, ...rescueOptions(place) });
  if (now.oid === before) return unchanged;
  const all = await changesBetween(place, before, now.oid);
  const changes = all.filter(({ file }) => !landed.has(file));
  const isAll = suspects.movedHead || suspects.reached;
  const theirs = changes.filter(({ file }) => isAll || suspects.wrote(file));
  const others = changes.filter((change) => !theirs.includes(change));
  if (theirs.length > 0) await restore(place, { before, landed, suspects }, { theirs, others });
  // While tasks land, the index follows each landing by itself.
  const isKnown = isAll && landed.size === 0;
  const index = isKnown && (await restoreIndex(place, before, now.oid)) ? ['the index'] : [];
  await leaveToPerson(place, { who, before }, { changes: others, now: now.oid });
  return { isChanged: true, back: [...theirs.map(({ file }) => file), ...index] };
}

/** Without a rescue point nothing can be restored: names what a session changed. */
async function reportTree(place: Place, suspects: Suspects): Promise<TreeBack> {
  const all = suspects.movedHead || suspects.reached;
  const left = (await findReportChanges(place)).filter(({ file }) => all || suspects.wrote(file));
  if (left.length === 0) return unchanged;
  const detail = formatReportChanges(left);
  place.run.emit({ type: 'act-found', act: 'changed-tree', detail, response: 'reported' });
  return { isChanged: true, back: [], left: left.map(({ file }) => file) };
}

/** The differences between two trees, apart from the plan. */
export async function changesBetween(place: Place, from: string, to: string): Promise<readonly Change[]> {
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to];
  const fields = splitNul(await place.repo.bytes(args)).map(nameOf);
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    changes.push({ how: fields[at] ?? '', file: fields[at + 1] ?? '' });
  return changes.filter(({ file }) => file !== place.plan.name);
}

/** Restores the files that a session changed; leaves others. */
async function restore(
  place: Place,
  { before, landed, suspects }: Omit<Before, 'who'> & Pick<Given, 'suspects'>,
  { theirs, others }: Readonly<{ theirs: readonly Change[]; others: readonly Change[] }>,
): Promise<void> {
  const rescue = await saveRescuePoint(place, "what a session had changed in the run's tree");
  const stay = new Set([...landed, ...others.map(({ file }) => file)]);
  await putFilesBack(place, { tree: before, exact: before, rescue, theirs, stay });
  const names = theirs.map(({ file }) => file);
  const sessions = suspects.guilty(names);
  place.run.emit({
    type: 'act-found',
    ...(sessions.length === 1 && sessions[0] !== undefined ? { session: sessions[0] } : {}),
    act: 'changed-tree',
    detail: fewOf(names),
    response: 'put-back',
    kept: rescue,
  });
}

/** Makes files match a tree; `stay`: other files that differ from it. `exact`: the rescue point from that time. */
export async function putFilesBack(
  place: Place,
  given: Readonly<{
    tree: string;
    exact: string;
    rescue: string;
    theirs: readonly Change[];
    stay: ReadonlySet<string>;
  }>,
): Promise<void> {
  const { theirs, stay, ...back } = given;
  const made = new Set(theirs.filter(({ how }) => how === 'A').map(({ file }) => file));
  const untracked = (await listUntracked(place.repo)).filter((file) => !made.has(file));
  await restoreTree(place.repo, {
    ...back,
    index: rescueOptions(place).index,
    keep: new Set([...untracked, ...stay]),
    stay: new Set([place.plan.name, ...stay]),
  });
}

/** Restores what was staged; returns true if it had changed. */
async function restoreIndex(place: Place, before: string, now: string): Promise<boolean> {
  const [then, found] = await Promise.all([before, now].map((point) => readPoint(place, point)));
  if (!then || !found || then.index === found.index) return false;
  const isPlain = then.index === 'as HEAD' || then.index === 'has conflicts';
  await setIndex(place.repo, isPlain ? 'HEAD' : then.index);
  return true;
}

async function readPoint({ repo }: Place, point: string) {
  const text = (await repo.bytes(['cat-file', 'commit', point])).toString('utf8');
  return parsePoint(text.slice(text.indexOf('\n\n') + 2));
}

/**
 * Restores a person's files that are gone; leaves everything else, and reports what a commit of the run's could pick up.
 */
async function leaveToPerson(
  place: Place,
  { who, before }: Omit<Before, 'landed'>,
  { changes, now }: Readonly<{ changes: readonly Change[]; now: string }>,
): Promise<void> {
  if (changes.length === 0) return;
  const inHead = await readBlobs(
    place.repo,
    'HEAD',
    changes.map(({ file }) => file),
  );
  const gone = changes.filter(({ how, file }) => how === 'D' && !inHead.has(file)).map(({ file }) => file);
  if (gone.length > 0) {
    await writeMissing(place.repo, await heldFiles(place.repo, before), new Set(gone));
    place.run.emit({
      type: 'act-found',
      act: 'changed-user-file',
      detail: fewOf(gone),
      response: 'put-back',
      kept: before,
    });
  }
  const { planning } = place.run.options;
  if (planning) return;
  const committed = new Set((await changesBetween(place, 'HEAD', now)).map(({ file }) => file));
  const { started, leftOut } = place.run.state();
  const left = changes.filter(({ file }) => !gone.includes(file) && committed.has(file));
  const isTheirs = ({ how, file }: Change): boolean =>
    how === 'A' || started.untracked.includes(file) || leftOut.includes(file);
  const files = left.filter(isTheirs).map(({ file }) => file);
  const changed = left.filter((change) => !isTheirs(change)).map(({ file }) => file);
  if (left.length > 0) place.run.emit({ type: 'edits-left', who, files, changed });
}
