// Handles what a session must not have done: restores, refuses or reports it; red only if necessary.
import path from 'node:path';
import { sayTamper } from '../../event/guard.ts';
import { movesOf } from '../../git/protect/further.ts';
import { type Snapshot, takeSnapshot } from '../../git/protect/snapshot.ts';
import { saveRescue } from '../../git/rescue/rescue.ts';
import { holdRefs } from '../../git/rescue/rescue-commit.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import type { Violation, ViolationRestore } from '../../git/restore/violation.ts';
import { diffText } from '../../git/tree/changes.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { matchesAny } from '../../glob.ts';
import { branchesOfOthers } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { findBent } from '../../proof/bent.ts';
import { restorePlan } from '../plan/plan-snapshot.ts';
import { keptFiles, rescueOptions } from '../rescue/rescue-point.ts';
import { sessionOf } from '../session/identity.ts';
import { lookNow } from '../tree/work-tree.ts';
import { stateOf, type Work } from '../work.ts';
import { emitViolations, violationsOf, type Whose } from './put-back.ts';
import { restoreUserFiles } from './user-files.ts';

/** Bytes of a diff that are read for signs of tampering. */
const mostDiff = 4 * 1024 * 1024;

/** Git's state; also keeps every commit that a ref names, whatever sessions do. */
export async function snapshotBefore(place: Place): Promise<Snapshot> {
  const { repo, run, lane } = place;
  const before = await takeSnapshot(repo);
  const { base, branch, review } = run.state().started;
  const refs = new Map([...before.refs].filter(([ref]) => ref !== `refs/heads/${branch}`));
  // A lane has only its own refs, and a report-only review writes nothing.
  if (!lane && !review?.reportOnly)
    await holdRefs(repo, run.id, { refs, stashes: before.stashes, known: [base, before.head] });
  return before;
}

export async function snapshotBeforeWork(place: Place): Promise<Snapshot> {
  // A lane has no files of a person's.
  if (place.lane) return snapshotBefore(place);
  const seen = { look: await lookNow(place), index: place.index };
  const options = { ...rescueOptions(place), reason: 'before a session', seen };
  const [before, { oid }] = await Promise.all([snapshotBefore(place), saveRescue(place.repo, options)]);
  return { ...before, rescue: oid };
}

/** After a rescue point, to `tree`, default the tree of the snapshot's HEAD; journals what was done. */
export async function restoreGit(
  place: Place,
  before: Snapshot,
  { whose, ...rules }: Readonly<{ whose: Partial<Whose> }> & Partial<ViolationRestore>,
): Promise<readonly Violation[]> {
  const { repo, run, home } = place;
  const { started, carry, lastHead = carry?.head ?? started.base } = run.state();
  const { task, session } = whose;
  const told = violationsOf(run, task).flatMap((one) => (one.session === session ? (one.branch ?? []) : []));
  const violations = await restoreRepository(repo, before, {
    run: run.id,
    branch: started.branch,
    beside: () => branchesOfOthers(repo.home, run.id, new Date(started.at)),
    rescueIndex: rescueOptions(place).index,
    keep: keptFiles(place),
    isSessions: (ref) => sessionOf(movesOf(repo, ref)[0]?.email ?? '', run.id) !== undefined,
    told,
    // Beside all that is looked at.
    pushed: carry && { ref: `refs/remotes/${carry.remote}/${started.branch}`, head: lastHead },
    ...rules,
  });
  // Copied into the repository before anybody is told of it.
  if (violations.some(({ kept }) => kept !== undefined)) await home?.keep();
  const acts = violations.map((one): Violation => {
    // What looks commits is in no commit of pawl's.
    return one.response === 'absorbed' && task === undefined ? { ...one, response: 'put-back' } : one;
  });
  emitViolations(place, whose, acts);
  return violations;
}

export async function restoreAll(
  place: Place,
  work: Work,
  { before, whose }: Readonly<{ before: Snapshot; whose: Whose }>,
): Promise<readonly string[]> {
  const { tree = work.start.tree } = stateOf(place, work.task);
  const owns = (file: string) => matchesAny(file, work.task.files);
  const violations = await restoreGit(place, before, { whose, tree, owns });
  restorePlan(place, work.plan.text, whose);
  const { rescue: point } = before;
  if (point !== undefined) await restoreUserFiles(place, work, { point, whose });
  return violations.flatMap((act) => act.red ?? []);
}

/** Each sign is told once; a reason against the round only under `tamper: fail`. */
export async function noteTamper(place: Place, work: Work, tree: WrittenTree): Promise<readonly string[]> {
  if (tree.tree === work.start.tree) return [];
  // Changed attributes could hide the rest of the diff.
  const asText = tree.files.some(({ file }) => path.posix.basename(file) === '.gitattributes');
  const diff = await diffText(place.repo, work.start.tree, tree.tree, { maxBytes: mostDiff, asText });
  const known = new Set(stateOf(place, work.task).tamper.map((note) => `${note.file} ${note.detail}`));
  const notes = findBent(diff, tree.files);
  for (const note of notes) {
    if (!known.has(`${note.file} ${note.detail}`))
      place.run.emit({ type: 'tamper-noted', task: work.task.id, ...note });
  }
  return place.run.config.tamper === 'warn' ? [] : notes.map(sayTamper);
}
