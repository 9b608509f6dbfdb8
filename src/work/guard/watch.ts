// The guard around reviewers and planners, who work in a throw-away checkout but can reach the run's tree by its path. What
// they change there is undone and reported, and their answers do not count; possible edits by a person stay.
import type { FactOf } from '../../event.ts';
import { restoreRepository } from '../../git/restore/restore-repository.ts';
import type { Violation } from '../../git/restore/violation.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { type PlanSnapshot, readText, restorePlan } from '../plan/plan-snapshot.ts';
import { restoreOptions, saveRescuePoint } from '../rescue/rescue-point.ts';
import { readKeptSnapshot, readWatchedPlan, writeKeptSnapshot, writeWatchedPlan } from '../restart-files.ts';
import { snapshotBefore } from './guard.ts';
import { nameLostFiles } from './persons-files.ts';
import { namePersonsTree } from './persons-tree.ts';
import { recordReportTree } from './report-tree.ts';
import { restoreWatchedTree } from './restore-tree.ts';
import { readSuspects } from './suspects.ts';
import { emitViolations } from './violations.ts';

type Who = FactOf<'watch-started'>['who'];

/**
 * Runs sessions that may change nothing of the run's. `look`: undoes what they have done so far, and returns the sessions
 * whose answers do not count.
 */
export async function watched<R>(
  place: Place,
  who: Who,
  act: (look: () => Promise<Refused>) => Promise<R>,
): Promise<R> {
  await beginWatch(place, who);
  try {
    return await act(async () => {
      const found = await lookAfter(place);
      if (found) await beginWatch(place, who);
      return refusedOf(place);
    });
  } finally {
    await endWatch(place);
  }
}

/** Why answers do not count, by session. */
export type Refused = ReadonlyMap<number, string>;

/** The sessions of the run whose answers do not count. */
export function refusedOf({ run }: Pick<Place, 'run'>): Refused {
  return new Map(run.state().refusedAnswers.map(({ session, reason }) => [session, reason]));
}

/** Looks a last time, also for an earlier process of the run that was cut off; does nothing if no guard is up. */
export async function endWatch(place: Place): Promise<void> {
  if (!place.run.state().watch) return;
  await lookAfter(place);
  place.run.emit({ type: 'watch-ended' });
}

async function beginWatch(place: Place, who: Who): Promise<void> {
  const { watch, sessions } = place.run.state();
  writeKeptSnapshot(place, await snapshotBefore(place));
  writeWatchedPlan(place, readText(place.plan.file));
  const isReport = place.run.options.review?.reportOnly ?? false;
  if (isReport) await recordReportTree(place);
  const rescue = isReport ? {} : { rescue: await saveRescuePoint(place, `before a ${who} looks`) };
  place.run.emit({
    type: 'watch-started',
    who,
    ...rescue,
    after: watch?.after ?? Math.max(0, ...sessions.keys()),
  });
}

/** Undoes what sessions did since the guard was put up; returns true if anything has changed. */
async function lookAfter(place: Place): Promise<boolean> {
  const { watch, violations: past } = place.run.state();
  const before = readKeptSnapshot(place);
  if (!watch || !before) return false;
  const suspects = readSuspects(place, watch.after, before);
  const { violations } = await restoreRepository(place.repo, before, {
    ...restoreOptions(place, watch.rescue),
    isSessions: suspects.movedRef,
    leavesHead: !suspects.movedHead,
    mayMake: false,
  });
  const ticked = restoreWatchedPlan(place);
  const files = await restoreWatchedTree(place, { watch, suspects });
  // What it committed is in no commit of pawl's either.
  const found = violations.map((act) =>
    act.response === 'absorbed' ? { ...act, response: 'put-back' as const } : act,
  );
  const put = found.filter(({ response }) => response !== 'reported');
  const lost = nameLostFiles(place, onlyOf(suspects.guilty([])));
  const what = [...put.map(formatWhat), ...(ticked ? ['the plan'] : []), ...files.back];
  emitViolations(place, { past, whose: onlyOf(suspects.guilty(files.back)), violations: found });
  if (what.length > 0) refuse(place, suspects.guilty(files.back), what);
  const persons = await namePersonsTree(place);
  if (persons.files.length > 0) refuse(place, persons.guilty, persons.files, 'it stays as it is');
  const { left = [] } = files;
  const reported = found.filter(({ response }) => response === 'reported').map(formatWhat);
  const stays = suspects.reached ? [...reported, ...lost] : [];
  if (stays.length > 0) refuse(place, suspects.guilty([]), stays, 'it stays as it is');
  if (left.length > 0) refuse(place, suspects.guilty(left), left, 'it stays as it is');
  return violations.length > 0 || ticked || files.isChanged || lost.length > 0;
}

/** What was changed, as a noun phrase. */
function formatWhat({ act, detail }: Pick<Violation, 'act' | 'detail'>): string {
  switch (act) {
    case 'committed':
      return `the branch (${detail})`;
    case 'rewrote-history':
      return 'the branch';
    case 'switched-branch':
      return 'which branch is checked out';
    case 'merge-in-progress':
      return 'what git is in the middle of';
    case 'stashed':
      return 'the stash';
    case 'moved-ref':
      return detail.replace(/ (?:was|were) .*$/s, '');
    default:
      return detail;
  }
}

/** Names the session only if there is exactly one. */
function onlyOf(sessions: readonly number[]): { session?: number } {
  const [session] = sessions;
  return session === undefined || sessions.length > 1 ? {} : { session };
}

function refuse(
  { run }: Place,
  sessions: readonly number[],
  ...[what, fate = 'pawl restored it']: readonly [what: readonly string[], fate?: string]
): void {
  const known = new Set(run.state().refusedAnswers.map(({ session }) => session));
  const reason = `it may only read, but changed ${fewOf([...new Set(what)])}; ${fate}`;
  for (const session of sessions)
    if (!known.has(session)) run.emit({ type: 'answer-refused', session, reason });
}

/** Dialogues and reviews of a person's own work run no plan. */
function restoreWatchedPlan(place: Place): boolean {
  const { planning, review } = place.run.options;
  const text = readWatchedPlan(place);
  if (text === undefined || planning || review) return false;
  const { violations, setAside } = place.run.state();
  const planSnapshot: PlanSnapshot = { text, plan: parsePlan(text, place.plan.file) };
  restorePlan(place, planSnapshot, {});
  return (
    place.run.state().violations.length > violations.length ||
    place.run.state().setAside.length > setAside.length
  );
}
