// Waits for a limit, overload or crashing agent: how long, announced, by wall clock, cut short by a person.
import { unknownResetMs } from '../../agent/fallback.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { isServiceWait, type WaitRows } from '../../event/waits.ts';
import type { FactOf } from '../../event.ts';
import { isFor } from '../../journal/fold-waits.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { type EndOfTime, endOfTime } from '../budget/budget.ts';
import { whileWaiting } from '../guard/standstill.ts';
import type { Verdict } from '../judge/verdict.ts';
import { chainOf, choiceFor, type Duty } from '../session/choose-agent.ts';
import type { Stop } from '../stopped.ts';

type WaitFor = Readonly<{
  duties: readonly Duty[];
  isWanted: () => boolean;
}>;

/** While a person allows it and `isWanted`; not for a limit if every session can have another agent. */
export async function waitFor(place: Place, wait: Wait, whom: WaitFor): Promise<Stop | undefined> {
  const jitter = Number.parseInt(place.run.random(1), 16) / 255;
  const { waitRows } = place.run.state();
  const isLimit = wait.why === 'limit' || wait.suspectsLimit;
  const free = isLimit ? freeAt(place, whom.duties) : undefined;
  if (free === 'now') return undefined;
  const wanted: Wait = free === undefined ? wait : { ...wait, why: 'limit', until: free };
  const plan = planWait(wanted, { ...givenNow(place), jitter, waitRows });
  if ('kind' in plan) return plan;
  await rest(place, { why: wanted.why, until: plan.until, text: wait.reason }, whom);
  return undefined;
}

/** Waits out what an earlier process waited for, and the limits of all possible agents. */
export async function waitBefore(place: Place, whom: WaitFor): Promise<Stop | undefined> {
  const free = freeAt(place, whom.duties);
  const { owedWait, waiting } = place.run.state();
  const agents = agentsOf(place.run, whom);
  const owed = [owedWait, waiting].find((wait) => wait && isServiceWait(wait.why) && isFor(wait, agents));
  const given = givenNow(place);
  const plan = owed?.why === 'limit' && free === 'now' ? undefined : planOwed(owed, given);
  if (plan && 'kind' in plan) return plan;
  if (plan && owed) await rest(place, { why: owed.why, until: plan.until, text: owed.text }, whom);
  else if (typeof free === 'number' && free - given.now <= given.limits.maxWait)
    await rest(place, { why: 'limit', until: free, text: 'a usage limit that was met before' }, whom);
  return undefined;
}

function agentsOf({ config }: Run, { duties }: WaitFor): string[] {
  return [...new Set(duties.flatMap((duty) => chainOf(config, duty)))];
}

/** Undefined if one has no fallback: its own limit decides. */
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

/** Shares another lane's wait for the same; else waits unannounced. True if there was one. */
async function waitBeside(
  place: Place,
  { why, until, text }: Omit<FactOf<'waiting'>, 'type'>,
  whom: WaitFor,
): Promise<boolean> {
  const { run } = place;
  const { isWanted } = whom;
  const { waiting, triedAgainAt } = run.state();
  if (!place.lane || !waiting) return false;
  if (waiting.why === why && isFor(waiting, agentsOf(run, whom))) {
    while (run.state().waiting && isWanted() && !run.signal.aborted)
      await run.sleep(250, AbortSignal.any([run.signal, run.wake()]));
    return true;
  }
  const now = run.now().getTime();
  // Unannounced pauses are not counted: each is the longest.
  const least = why === 'limit' ? until : Math.max(until, now + fixed.backoffMs);
  run.emit({ type: 'noticed', code: 'waits-too', text: `${text}: waited for as well` });
  const isCut = () => run.state().triedAgainAt !== triedAgainAt || !isWanted();
  await sleepUntil(place, { until: least, wakingMs: least - now }, isCut);
  return true;
}

async function rest(
  place: Place,
  wait: Omit<FactOf<'waiting'>, 'type' | 'agents'>,
  whom: WaitFor,
): Promise<void> {
  if (await waitBeside(place, wait, whom)) return;
  const { until } = wait;
  const { isWanted } = whom;
  const wakingMs = until - place.run.now().getTime();
  const agents = place.lane && agentsOf(place.run, whom);
  place.run.emit({ type: 'waiting', ...wait, ...defined({ agents }) });
  // When a person continues, the state loses the wait.
  const isCut = () => place.run.state().waiting === undefined || !isWanted();
  await whileWaiting(place, () => sleepUntil(place, { until, wakingMs }, isCut));
  place.run.emit({
    type: 'waited',
    how: place.run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time',
  });
}

/** In short steps, so that a laptop's sleep counts; never longer awake than planned if the clock is set back. */
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

type Wait = Extract<Verdict, { kind: 'wait' }>;

/** Epoch milliseconds, or why waiting is pointless. */
type WaitPlan = Readonly<{ until: number }> | Stop;

type WaitGiven = Readonly<{
  /** Epoch milliseconds. */
  now: number;
  limits: Config['limits'];
  /** Of the run's own time; absent: no cap. */
  end?: EndOfTime | undefined;
}>;

/** `jitter`: 0 to 1, spreads the return. */
export function planWait(
  wait: Wait,
  given: WaitGiven & Readonly<{ jitter: number; waitRows: WaitRows }>,
): WaitPlan {
  const plan = wait.why === 'limit' ? planLimit(wait, given) : planBackoff(wait, given);
  return withinTime(wait.reason, plan, given);
}

export function planOwed(owed: RunState['owedWait'], given: WaitGiven): WaitPlan | undefined {
  if (!owed || owed.until <= given.now) return undefined;
  const isTooLong = owed.until - given.now > given.limits.maxWait;
  return withinTime(owed.text, isTooLong ? tooLong(owed.text) : { until: owed.until }, given);
}

/** Until the reset; ever longer after one that passed, or was waited for in vain. */
function planLimit(wait: Wait, { now, limits, jitter, waitRows }: Parameters<typeof planWait>[1]): WaitPlan {
  const row = waitRows.limit;
  const least = row ? now + stepOf(row.count - 1) : now;
  const spread = Math.round(jitter * Math.min(30_000, fixed.backoffMs));
  const until = Math.max(least, wait.until ?? now + unknownResetMs) + spread;
  return until - now > limits.maxWait
    ? tooLong(wait.reason)
    : inRow('limited', wait.reason, { until, now, limits }, row);
}

function tooLong(reason: string): WaitPlan {
  return { kind: 'stop', why: 'limited', reason: `${reason}; the reset is later than limits.maxWait` };
}

/** Stops after too many crashes, or too long an outage. */
function planBackoff(wait: Wait, given: Parameters<typeof planWait>[1]): WaitPlan {
  const { now, limits, jitter, waitRows } = given;
  const row = waitRows[wait.why];
  const before = row?.count ?? 0;
  const pause = stepOf(Math.min(before, fixed.backoffs));
  const until = now + Math.round(pause * (1 + jitter / 4));
  if (wait.why === 'overload') return inRow('outage', wait.reason, { until, now, limits }, row);
  if (before < fixed.backoffs) return { until };
  const { why, ...hint } = wait.atLast ?? ({ why: 'crashing' } as const);
  return { kind: 'stop', why, reason: `${wait.reason}, ${before + 1} times in a row`, ...hint };
}

/** Waits in a row last no longer than a single one may. */
function inRow(
  why: 'limited' | 'outage',
  reason: string,
  { until, now, limits }: Readonly<{ until: number }> & Pick<WaitGiven, 'now' | 'limits'>,
  row: WaitRows[Wait['why']],
): WaitPlan {
  const since = row ? Math.min(now, Date.parse(row.since)) : now;
  if (until - since <= limits.maxWait) return { until };
  const times = (row?.count ?? 0) + 1;
  return { kind: 'stop', why, reason: `${reason}; ${times} times in a row, for longer than limits.maxWait` };
}

/** Doubles with each earlier pause, up to `fixed.backoffMs`. */
function stepOf(before: number): number {
  return fixed.backoffMs / 2 ** Math.max(0, fixed.backoffs - 1 - before);
}

function withinTime(reason: string, plan: WaitPlan, { end }: WaitGiven): WaitPlan {
  if (!end || 'kind' in plan || plan.until < end.at) return plan;
  return {
    kind: 'stop',
    why: 'budget',
    reason: `${reason}; the wait is longer than ${end.cap}`,
    hint: end.hint,
  };
}
