// Waits for a limit, an overload or a crashing agent: announced, by wall clock, and cut short by a person. wait-plan.ts judges
// how long.
import type { FactOf } from '../../event.ts';
import { Failure } from '../../failure.ts';
import { foldRun } from '../../journal/fold.ts';
import { listRuns } from '../../journal/folder.ts';
import { readJournal } from '../../journal/read-journal.ts';
import type { SeenLimit } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { endOfTime } from '../budget/budget.ts';
import { chainOf, choiceFor, type Duty } from '../session/choose-agent.ts';
import { awaitLeave, type WaitFor } from './await-leave.ts';
import {
  findFullWindow,
  type NoWait,
  planOwed,
  planWait,
  type Wait,
  type WaitGiven,
  type WaitPlan,
} from './wait-plan.ts';

/** So many earlier runs are asked how full the windows were. */
const mostRuns = 5;

/** Waits as the verdict says, but no longer than a person lets it or it `isWanted`; not at all for a usage limit where each session can have another agent. */
export async function waitFor(place: Place, wait: Wait, whom: WaitFor): Promise<NoWait | undefined> {
  const jitter = Number.parseInt(place.run.random(1), 16) / 255;
  const { crashes, outageRow, limitRow } = place.run.state();
  const isLimit = wait.why === 'limit' || wait.suspectsLimit;
  const free = isLimit ? freeAt(place, whom.duties) : undefined;
  if (free === 'now') return undefined;
  const wanted: Wait = free === undefined ? wait : { ...wait, why: 'limit', until: free };
  const plan = planWait(wanted, { ...givenNow(place), jitter, crashes, outageRow, limitRow });
  if ('stop' in plan) return plan;
  if (wanted.why === 'overload')
    for (const duty of whom.duties)
      place.run.purse?.shut({ agent: choiceFor(place, duty).agent, why: 'overload', until: plan.until });
  await rest(place, { why: wanted.why, until: plan.until, text: wait.reason }, whom);
  return undefined;
}

/** Before a session begins: waits out what an earlier process of the run was waiting for, limits of all agents that could have it, and a usage window that is nearly full. */
export async function waitBefore(place: Place, whom: WaitFor): Promise<NoWait | undefined> {
  const free = freeAt(place, whom.duties);
  const { owedWait } = place.run.state();
  const isOwed = owedWait !== undefined && !(owedWait.why === 'limit' && free === 'now');
  const owed = isOwed ? planOwed(owedWait, givenNow(place)) : undefined;
  if (owed && 'stop' in owed) return owed;
  if (owed && owedWait)
    await rest(place, { why: owedWait.why, until: owed.until, text: owedWait.text }, whom);
  await waitHere(place, { free, owed }, whom);
  return awaitLeave(place, whom);
}

/** What this machine knows by itself. */
async function waitHere(
  place: Place,
  { free, owed }: Readonly<{ free: 'now' | number | undefined; owed: WaitPlan | undefined }>,
  whom: WaitFor,
): Promise<void> {
  const { now, limits } = givenNow(place);
  if (typeof free === 'number' && !owed && free - now <= limits.maxWait)
    await rest(place, { why: 'limit', until: free, text: 'a usage limit that was met before' }, whom);
  if (limits.startBelow === undefined || place.run.signal.aborted || !whom.isWanted()) return;
  const next = new Set(whom.duties.map((duty) => choiceFor(place, duty).agent));
  const seen = [...limitsSeen(place)].filter(({ agent }) => next.has(agent));
  const full = findFullWindow(seen, givenNow(place));
  if (full) await rest(place, { why: 'limit', ...full }, whom);
}

/** When sessions with fallbacks can all begin; undefined where one has none: its own limit decides. */
function freeAt(place: Place, duties: readonly Duty[]): 'now' | number | undefined {
  const hasFallback = (duty: Duty) => chainOf(place.run.config, duty).length > 1;
  if (duties.length === 0 || !duties.every(hasFallback)) return undefined;
  const waits = duties.flatMap((duty) => choiceFor(place, duty).until ?? []);
  return waits.length === 0 ? 'now' : Math.max(...waits);
}

function givenNow(place: Place): WaitGiven {
  const now = place.run.now().getTime();
  return { now, limits: place.run.config.limits, end: endOfTime(place.run.state(), now) };
}

/** The windows as this run saw them last; before it saw any, as earlier runs on the same bill did. */
function limitsSeen(place: Place): Iterable<SeenLimit> {
  const { limits, started } = place.run.state();
  return limits.size > 0
    ? limits.values()
    : limitsOfRuns(place.repo.commonDir, started.billing, place.run.id);
}

/** The windows as the newest runs of a repository on this bill saw them, one run beside. A run that cannot be read has seen none. */
export function limitsOfRuns(commonDir: string, billing: string, beside?: string): readonly SeenLimit[] {
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

/** Where another lane waits already its wait is this one's too; true when there was one. */
async function joinWait(place: Place, isWanted: () => boolean): Promise<boolean> {
  if (!place.lane || !place.run.state().waiting) return false;
  while (place.run.state().waiting && isWanted() && !place.run.signal.aborted)
    await place.run.sleep(250, AbortSignal.any([place.run.signal, place.run.wake()]));
  return true;
}

/** Tells of a wait, and waits. */
async function rest(
  place: Place,
  wait: Omit<FactOf<'waiting'>, 'type'>,
  { isWanted }: Pick<WaitFor, 'isWanted'>,
): Promise<void> {
  if (await joinWait(place, isWanted)) return;
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
