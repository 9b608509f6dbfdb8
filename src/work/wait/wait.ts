// Waits for a limit, an overload or a crashing agent: announced, by wall clock, and cut short by a person. wait-plan.ts judges
// how long.
import type { FactOf, Stamped } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { foldRun } from '../../journal/fold.ts';
import { listRuns } from '../../journal/folder.ts';
import { readJournal } from '../../journal/read-journal.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { endOfTime } from '../budget/budget.ts';
import { findFullWindow, planOwed, planWait, type Wait, type WaitGiven, type WaitPlan } from './wait-plan.ts';

/** Why the run has to stop instead of waiting. */
export type NoWait = Extract<WaitPlan, { stop: string }>;

/** So many earlier runs are asked how full the windows were. */
const mostRuns = 5;

/** Waits as the verdict says, but no longer than a person lets it or it `isWanted`. */
export async function waitFor(
  place: Place,
  wait: Wait,
  isWanted: () => boolean,
): Promise<NoWait | undefined> {
  const jitter = Number.parseInt(place.run.random(1), 16) / 255;
  const { crashes, outageRow, limitRow } = place.run.state();
  const plan = planWait(wait, { ...givenNow(place), jitter, crashes, outageRow, limitRow });
  if ('stop' in plan) return plan;
  await rest(place, { why: wait.why, until: plan.until, text: wait.reason }, isWanted);
  return undefined;
}

/** Before a session begins: waits out what an earlier process of the run was waiting for, and a usage window that is nearly full. */
export async function waitBefore(place: Place, isWanted: () => boolean): Promise<NoWait | undefined> {
  const { owedWait } = place.run.state();
  const owed = planOwed(owedWait, givenNow(place));
  if (owed && 'stop' in owed) return owed;
  if (owed && owedWait)
    await rest(place, { why: owedWait.why, until: owed.until, text: owedWait.text }, isWanted);
  if (place.run.config.limits.startBelow === undefined || place.run.signal.aborted || !isWanted())
    return undefined;
  const full = findFullWindow(limitsSeen(place), givenNow(place));
  if (full) await rest(place, { why: 'limit', ...full }, isWanted);
  return undefined;
}

function givenNow(place: Place): WaitGiven {
  const now = place.run.now().getTime();
  return { now, limits: place.run.config.limits, end: endOfTime(place.run.state(), now) };
}

/** The windows as this run saw them last; before it saw any, as earlier runs on the same bill did. */
function limitsSeen(place: Place): Iterable<Stamped<FactOf<'limit-seen'>>> {
  const { limits, started } = place.run.state();
  return limits.size > 0
    ? limits.values()
    : limitsOfRuns(place.repo.commonDir, started.billing, place.run.id);
}

/** The windows as the newest runs of a repository on this bill saw them, one run beside. A run that cannot be read has seen none. */
export function limitsOfRuns(
  commonDir: string,
  billing: string,
  beside?: string,
): readonly Stamped<FactOf<'limit-seen'>>[] {
  const runs = listRuns(commonDir).filter(
    ({ run, started }) => run !== beside && started.billing === billing,
  );
  return runs.slice(0, mostRuns).flatMap(({ folder }) => {
    try {
      return [...(foldRun(readJournal(folder))?.limits.values() ?? [])];
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  });
}

/** Tells of a wait, and waits. */
async function rest(
  place: Place,
  wait: Omit<FactOf<'waiting'>, 'type'>,
  isWanted: () => boolean,
): Promise<void> {
  const { until } = wait;
  const wakingMs = until - place.run.now().getTime();
  place.run.emit({ type: 'waiting', ...wait });
  // A person who goes on has ended the wait in the state.
  const isCut = () => place.run.state().waiting === undefined || !isWanted();
  await sleepUntil(place, { until, wakingMs }, isCut);
  place.run.emit({
    type: 'waited',
    how: place.run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time',
  });
}

/** In short sleeps against the wall clock, where a laptop's sleep counts; but never for more waking time than was planned, should that clock be set back. */
export async function sleepUntil(
  place: Readonly<{ run: Pick<Run, 'signal' | 'now' | 'sleep' | 'wake'> }>,
  { until, wakingMs }: Readonly<{ until: number; wakingMs: number }>,
  isCut: () => boolean,
): Promise<void> {
  let leftMs = wakingMs;
  while (!place.run.signal.aborted && !isCut() && leftMs > 0 && place.run.now().getTime() < until) {
    const stepMs = Math.min(1_000, leftMs);
    await place.run.sleep(stepMs, AbortSignal.any([place.run.signal, place.run.wake()]));
    leftMs -= stepMs;
  }
}
