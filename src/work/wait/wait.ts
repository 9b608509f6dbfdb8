// Waits for a limit, overload or crashing agent: how long, announced, by wall clock, cut short by a person.
import { unknownResetMs } from '../../agent/fallback.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { isServiceWait, type WaitRows } from '../../event/waits.ts';
import type { FactOf } from '../../event.ts';
import { isFor } from '../../journal/fold-waits.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { type EndOfTime, endOfTime } from '../budget/budget.ts';
import { whileWaiting } from '../guard/standstill.ts';
import type { Verdict } from '../judge/verdict.ts';
import { chainOf, choiceFor, type Duty } from '../session/choose-agent.ts';
import type { Stop } from '../stopped.ts';

type WaitFor = Readonly<{ duties: readonly Duty[]; isWanted: () => boolean }>;

/** While a person allows it and `isWanted`; not for a limit if every session can have another agent. */
export async function waitFor(place: Place, wait: Wait, whom: WaitFor): Promise<Stop | undefined> {
  const isLimit = wait.why === 'limit' || wait.suspectsLimit;
  const free = isLimit ? freeAt(place, whom.duties) : undefined;
  if (free === 'now') return undefined;
  const wanted: Wait = free === undefined ? wait : { ...wait, why: 'limit', until: free };
  const jitter = Number.parseInt(place.run.random(1), 16) / 255;
  return waitOut(place, whom, planWait(wanted, { ...givenNow(place), jitter }));
}

/** Waits out what an earlier process waited for, and the limits of all possible agents. */
export async function waitBefore(place: Place, whom: WaitFor): Promise<Stop | undefined> {
  const free = freeAt(place, whom.duties);
  const { owedWait, waiting } = place.run.state();
  const agents = agentsOf(place.run, whom);
  const owed = [owedWait, waiting].find((wait) => wait && isServiceWait(wait.why) && isFor(wait, agents));
  const given = givenNow(place);
  if (owed && owed.until > given.now && (owed.why !== 'limit' || free !== 'now'))
    return waitOut(place, whom, boundWait(owed, given));
  if (typeof free === 'number' && free - given.now <= given.limits.maxWait)
    return waitOut(place, whom, { why: 'limit', until: free, text: 'a usage limit that was met before' });
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

function givenNow({ run }: Place): WaitGiven {
  const now = run.now().getTime();
  const { waitRows } = run.state();
  return { now, limits: run.config.limits, end: endOfTime(run.state(), now), waitRows };
}

/** A lane shares another's wait for the same, or waits unannounced beside another wait. */
async function waitOut(place: Place, whom: WaitFor, plan: WaitPlan): Promise<Stop | undefined> {
  if ('kind' in plan) return plan;
  const { run, lane } = place;
  const { isWanted } = whom;
  const { why, until, text } = plan;
  const agents = agentsOf(run, whom);
  const { waiting: theirs, triedAgainAt } = run.state();
  const wakingMs = until - run.now().getTime();
  if (!lane || !theirs) {
    run.emit({ type: 'waiting', why, until, text, ...defined({ agents: lane && agents }) });
    // When a person continues, the state loses the wait.
    const isCut = () => run.state().waiting === undefined || !isWanted();
    await whileWaiting(place, () => sleepUntil(place, { until, wakingMs }, isCut));
    run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  } else if (theirs.why === why && isFor(theirs, agents)) {
    while (run.state().waiting && isWanted() && !run.signal.aborted)
      await run.sleep(250, AbortSignal.any([run.signal, run.wake()]));
  } else {
    run.emit({ type: 'noticed', code: 'waits-too', text: `${text}: waited for as well` });
    // Unannounced pauses are not counted: each is the longest.
    const longMs = why === 'limit' ? wakingMs : Math.max(wakingMs, fixed.backoffMs);
    const isCut = () => run.state().triedAgainAt !== triedAgainAt || !isWanted();
    await sleepUntil(place, { until: until - wakingMs + longMs, wakingMs: longMs }, isCut);
  }
  return undefined;
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

/** `until`: epoch milliseconds. Or why waiting is pointless. */
type WaitPlan = Pick<FactOf<'waiting'>, 'why' | 'until' | 'text'> | Stop;

type WaitGiven = Readonly<{
  /** Epoch milliseconds. */
  now: number;
  limits: Config['limits'];
  /** Of the run's own time; absent: no cap. */
  end?: EndOfTime | undefined;
  waitRows: WaitRows;
}>;

/**
 * For a limit until the reset, for others a pause; each in a row that led nowhere is longer. `jitter`: 0 to 1, spreads
 * the return.
 */
export function planWait(wait: Wait, given: WaitGiven & Readonly<{ jitter: number }>): WaitPlan {
  const { why, reason: text } = wait;
  const { now, jitter } = given;
  const row = given.waitRows[why];
  const before = row?.count ?? 0;
  if (why === 'crash' && before >= fixed.backoffs) {
    const { why: atLast, ...hint } = wait.atLast ?? ({ why: 'crashing' } as const);
    return { kind: 'stop', why: atLast, reason: `${text}, ${before + 1} times in a row`, ...hint };
  }
  if (why !== 'limit') {
    const pauseMs = stepOf(Math.min(before, fixed.backoffs)) * (1 + jitter / 4);
    return boundWait({ why, until: now + Math.round(pauseMs), text }, given);
  }
  const least = row ? now + stepOf(before - 1) : now;
  const spread = Math.round(jitter * Math.min(30_000, fixed.backoffMs));
  return boundWait({ why, until: Math.max(least, wait.until ?? now + unknownResetMs) + spread, text }, given);
}

/** Alone, and with those before it in a row, no longer than `limits.maxWait`; and within the run's time. */
export function boundWait(
  wait: Pick<FactOf<'waiting'>, 'why' | 'until' | 'text'>,
  { now, limits, end, waitRows }: WaitGiven,
): WaitPlan {
  const { why, until, text } = wait;
  const { count = 0, since } = (isServiceWait(why) ? waitRows[why] : undefined) ?? {};
  const beganAt = since === undefined ? now : Math.min(now, Date.parse(since));
  if (why !== 'crash' && until - beganAt > limits.maxWait) {
    const isOne = why === 'limit' && until - now > limits.maxWait;
    const what = isOne ? 'the reset is later than' : `${count + 1} times in a row, for longer than`;
    const reason = `${text}; ${what} limits.maxWait`;
    return { kind: 'stop', why: why === 'limit' ? 'limited' : 'outage', reason };
  }
  if (!end || until < end.at) return { why, until, text };
  const reason = `${text}; the wait is longer than ${end.cap}`;
  return { kind: 'stop', why: 'budget', reason, hint: end.hint };
}

/** Doubles with each earlier pause, up to `fixed.backoffMs`. */
function stepOf(before: number): number {
  return fixed.backoffMs / 2 ** Math.max(0, fixed.backoffs - 1 - before);
}
