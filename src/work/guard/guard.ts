// Handles what a session must not have done: restores, refuses or reports it, each as an event, and makes the attempt red only
// if necessary.

import { findTamper } from '../../check/tamper.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import type { Violation } from '../../git/restore/violation.ts';
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

/** Whose turn it was. */
export type Whose = Readonly<{ task: string; session?: number }>;

/** Most of a diff that is read for signs of tampering, bytes. */
const mostDiff = 4 * 1024 * 1024;

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
  nameLostFiles(place, work, found.whose);
  const reached = await answerForLanes(place, work, found.whose);
  return [...violations.flatMap((act) => act.red ?? []), ...reached];
}

/** What was taken away in a lane is in the repository before anybody is told of it. */
export async function keepTaken(
  { lane }: Pick<Place, 'lane'>,
  violations: readonly Violation[],
): Promise<void> {
  if (violations.some(({ kept }) => kept !== undefined)) await lane?.keep();
}

/** Tells the journal of acts. What is only reported stays as it is, and is seen again at each look of the same session: it is told once. */
export function emitViolations(
  place: Pick<Place, 'run' | 'lane'>,
  found: Readonly<{ past: readonly Found[]; whose: Partial<Whose>; violations: readonly Violation[] }>,
): void {
  const told = new Set(found.past.filter(({ response }) => response === 'reported').map(keyOfViolation));
  for (const { red: _, ...act } of found.violations) {
    const kept = act.kept === undefined ? undefined : (place.lane?.homeOf(act.kept) ?? act.kept);
    const fact = { type: 'act-found', ...found.whose, ...act, ...defined({ kept }) } as const;
    if (act.response !== 'reported' || !told.has(keyOfViolation(fact))) place.run.emit(fact);
  }
}

/** The branches that acts of a session named. */
export function branchesTold(past: readonly Found[], of: number | undefined): readonly string[] {
  return past.flatMap(({ session, branch }) => (session === of && branch !== undefined ? [branch] : []));
}

type Found = FactOf<'act-found'>;

function keyOfViolation({ session, act, detail }: Pick<Found, 'session' | 'act' | 'detail'>): string {
  return `${session} ${act} ${detail}`;
}

/** Notes signs of tampering with tests, each once; they are reasons against the round only under `tamper: fail`. */
export async function noteTamper(place: Place, work: Work, tree: WrittenTree): Promise<readonly string[]> {
  if (tree.tree === work.start.tree) return [];
  const diff = await diffText(place.repo, work.start.tree, tree.tree, { maxBytes: mostDiff });
  const known = new Set(stateOf(place, work.task).tamper.map((note) => `${note.file} ${note.detail}`));
  const notes = findTamper(diff, tree.files);
  for (const note of notes) {
    if (!known.has(`${note.file} ${note.detail}`))
      place.run.emit({ type: 'tamper-noted', task: work.task.id, ...note });
  }
  return place.run.config.tamper === 'warn' ? [] : notes.map((note) => `${note.file}: ${note.detail}`);
}
