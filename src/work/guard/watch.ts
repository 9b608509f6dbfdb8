// The guard around those who only look: reviewers and planners. They work in a checkout that is thrown away, and reach the
// run's own tree by its path. What they did there is put back and named, and their answers do not count; what may as well
// be a person's stays.
import type { FactOf } from '../../event.ts';
import { takeSnapshot } from '../../git/protect/snapshot.ts';
import { putBack } from '../../git/restore/restore-repository.ts';
import type { Act } from '../../git/restore/violation.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';
import { parsePlan } from '../../plan/parse.ts';
import { putPlanBack, readText, type Truth } from '../plan/plan-snapshot.ts';
import { putBackOptions, takeRescue } from '../rescue/rescue-point.ts';
import { keepSnapshot, keepWatchedPlan, readKeptSnapshot, readWatchedPlan } from '../run-files.ts';
import { tellActs } from './guard.ts';
import { readSuspects } from './suspects.ts';
import { putTreeBack } from './tree-back.ts';

type Who = FactOf<'watch-started'>['who'];

/** Lets sessions look that may change nothing of the run's. `look`: what they did so far is put back; it returns those whose answers do not count. */
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

/** Reasons why answers do not count, by session. */
export type Refused = ReadonlyMap<number, string>;

/** Those of the run whose answers do not count. */
export function refusedOf({ run }: Pick<Place, 'run'>): Refused {
  return new Map(run.state().refusedAnswers.map(({ session, reason }) => [session, reason]));
}

/** Looks a last time, also for a life of the run that was cut off; nothing where no guard is up. */
export async function endWatch(place: Place): Promise<void> {
  if (!place.run.state().watch) return;
  await lookAfter(place);
  place.run.emit({ type: 'watch-ended' });
}

async function beginWatch(place: Place, who: Who): Promise<void> {
  const { watch, sessions } = place.run.state();
  keepSnapshot(place, await takeSnapshot(place.repo));
  keepWatchedPlan(place, readText(place.plan.file));
  const isReport = place.run.options.review?.reportOnly ?? false;
  const rescue = isReport ? {} : { rescue: await takeRescue(place, `before a ${who} looks`) };
  place.run.emit({
    type: 'watch-started',
    who,
    ...rescue,
    after: watch?.after ?? Math.max(0, ...sessions.keys()),
  });
}

/** Puts back what sessions did since the guard was put up; true when anything is other than it was. */
async function lookAfter(place: Place): Promise<boolean> {
  const { watch, acts: past } = place.run.state();
  const before = readKeptSnapshot(place);
  if (!watch || !before) return false;
  const suspects = readSuspects(place, watch.after, before);
  const { acts } = await putBack(place.repo, before, {
    ...putBackOptions(place, watch.rescue),
    isSessions: suspects.movedRef,
    leavesHead: !suspects.movedHead,
    mayMake: false,
  });
  const ticked = putWatchedPlanBack(place);
  const files = await putTreeBack(place, { watch, suspects });
  // What it committed is in no commit of pawl's either.
  const found = acts.map((act) =>
    act.response === 'absorbed' ? { ...act, response: 'put-back' as const } : act,
  );
  const put = found.filter(({ response }) => response !== 'reported');
  const what = [...put.map(formatWhat), ...(ticked ? ['the plan'] : []), ...files.back];
  tellActs(place, { past, whose: onlyOf(suspects.guilty(files.back)), acts: found });
  if (what.length > 0) refuse(place, suspects.guilty(files.back), what);
  return acts.length > 0 || ticked || files.isChanged;
}

function formatWhat({ act, detail }: Act): string {
  return act === 'committed' ? `the branch (${detail})` : detail;
}

/** A single one is named as who did it. */
function onlyOf(sessions: readonly number[]): { session?: number } {
  const [session] = sessions;
  return session === undefined || sessions.length > 1 ? {} : { session };
}

function refuse({ run }: Place, sessions: readonly number[], what: readonly string[]): void {
  const known = new Set(run.state().refusedAnswers.map(({ session }) => session));
  const reason = `it may only look, and changed ${fewOf([...new Set(what)])}, which is put back`;
  for (const session of sessions)
    if (!known.has(session)) run.emit({ type: 'answer-refused', session, reason });
}

/** A dialogue and a review beside a person's own work run no plan. */
function putWatchedPlanBack(place: Place): boolean {
  const { planning, review } = place.run.options;
  const text = readWatchedPlan(place);
  if (text === undefined || planning || review) return false;
  const { acts, setAside } = place.run.state();
  const truth: Truth = { text, plan: parsePlan(text, place.plan.file) };
  putPlanBack(place, truth, {});
  return place.run.state().acts.length > acts.length || place.run.state().setAside.length > setAside.length;
}
