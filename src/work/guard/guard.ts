// Handles what a session must not have done: restores, refuses or reports it, each as an event, and makes the attempt red only
// if necessary.

import path from 'node:path';
import { findTamper } from '../../check/tamper.ts';
import { type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { holdRefs } from '../../git/rescue/hold-refs.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import { diffText } from '../../git/tree/changes.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { asFinalized, finalizeRule } from '../kind/finalize-rule.ts';
import { restorePlan } from '../plan/plan-snapshot.ts';
import { restoreOptions } from '../rescue/rescue-point.ts';
import { policyOf, stateOf, type Work } from '../work.ts';
import { answerForLanes, noteMovers } from './left-lane.ts';
import { bringPersonsFilesBack, nameLostFiles } from './persons-files.ts';
import { holdPersonsTree, namePersonsTree } from './persons-tree.ts';
import { branchesTold, emitViolations, keepTaken, type Whose } from './violations.ts';

/** Most of a diff that is read for signs of tampering, bytes. */
const mostDiff = 4 * 1024 * 1024;

/** How git is before sessions work there. What its refs name stays in the repository, whatever they do. */
export async function snapshotBefore(place: Place): Promise<Snapshot> {
  const { repo, run, lane } = place;
  const before = await takeSnapshot(repo);
  await holdPersonsTree(place);
  const { base, branch } = run.state().started;
  const refs = new Map([...before.refs].filter(([ref]) => ref !== `refs/heads/${branch}`));
  // A lane has refs of its own alone, and a review that only reports writes nothing.
  if (!lane && !run.options.review?.reportOnly)
    await holdRefs(repo, run.id, { refs, stashes: before.stashes, known: [base, before.head] });
  return before;
}

/** Puts git and the plan back as they were; returns the reasons against the round, in words. */
export async function restoreAll(
  place: Place,
  work: Work,
  found: Readonly<{ before: Snapshot; whose: Whose }>,
): Promise<readonly string[]> {
  const tree = stateOf(place, work.task).tree ?? work.start.tree;
  noteMovers(place, found.before);
  const { violations } = await restoreRepository(place.repo, asFinalized(place, found.before), {
    ...restoreOptions(place, tree),
    ...(policyOf(work).mayRewrite ? finalizeRule(place) : {}),
    owns: (file) => matchesAny(file, work.task.files),
    told: branchesTold(stateOf(place, work.task).violations, found.whose.session),
  });
  await keepTaken(place, violations);
  emitViolations(place, { past: stateOf(place, work.task).violations, whose: found.whose, violations });
  restorePlan(place, work.planSnapshot, found.whose);
  await bringPersonsFilesBack(place, work, found.whose);
  nameLostFiles(place, found.whose, work.task.files);
  await namePersonsTree(place, found.whose);
  const reached = await answerForLanes(place, work, found.whose);
  return [...violations.flatMap((act) => act.red ?? []), ...reached];
}

/** Notes signs of tampering with tests, each once; they are reasons against the round only under `tamper: fail`. */
export async function noteTamper(place: Place, work: Work, tree: WrittenTree): Promise<readonly string[]> {
  if (tree.tree === work.start.tree) return [];
  // Attributes that the work changes could hide the rest of it.
  const asText = tree.files.some(({ file }) => path.posix.basename(file) === '.gitattributes');
  const diff = await diffText(place.repo, work.start.tree, tree.tree, { maxBytes: mostDiff, asText });
  const known = new Set(stateOf(place, work.task).tamper.map((note) => `${note.file} ${note.detail}`));
  const notes = findTamper(diff, tree.files);
  for (const note of notes) {
    if (!known.has(`${note.file} ${note.detail}`))
      place.run.emit({ type: 'tamper-noted', task: work.task.id, ...note });
  }
  return place.run.config.tamper === 'warn' ? [] : notes.map((note) => `${note.file}: ${note.detail}`);
}
