// How long to wait, and when that is pointless. Pure.

import { unknownResetMs } from '../../agent/fallback.ts';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import type { RunState } from '../../journal/state.ts';
import type { EndOfTime } from '../budget/budget.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Stop } from '../stopped.ts';

export type Wait = Extract<Verdict, { kind: 'wait' }>;

/** Epoch milliseconds, or why waiting is pointless. */
export type WaitPlan = Readonly<{ until: number }> | Stop;

export type WaitGiven = Readonly<{
  /** Epoch milliseconds. */
  now: number;
  limits: Config['limits'];
  /** Of the run's own time; absent: no cap. */
  end?: EndOfTime | undefined;
}>;

export type WaitPast = Readonly<{
  crashes: number;
  limitRow?: RunState['limitRow'] | undefined;
  outageRow?: RunState['outageRow'] | undefined;
}>;

/** `jitter`: 0 to 1, spreads the return. */
export function planWait(wait: Wait, given: WaitGiven & WaitPast & Readonly<{ jitter: number }>): WaitPlan {
  const plan = wait.why === 'limit' ? planLimit(wait, given) : planBackoff(wait, given);
  return withinTime(wait.reason, plan, given);
}

export function planOwed(owed: RunState['owedWait'], given: WaitGiven): WaitPlan | undefined {
  if (!owed || owed.until <= given.now) return undefined;
  const isTooLong = owed.until - given.now > given.limits.maxWait;
  return withinTime(owed.text, isTooLong ? tooLong(owed.text) : { until: owed.until }, given);
}

/** Until the reset; ever longer after one that passed, or was waited for in vain. */
function planLimit(wait: Wait, { now, limits, jitter, limitRow }: Parameters<typeof planWait>[1]): WaitPlan {
  const least = limitRow ? now + stepOf(limitRow.count - 1) : now;
  const spread = Math.round(jitter * Math.min(30_000, fixed.backoffMs));
  const until = Math.max(least, wait.until ?? now + unknownResetMs) + spread;
  const since = limitRow ? Math.min(now, Date.parse(limitRow.since)) : now;
  if (until - since <= limits.maxWait) return { until };
  if (until - now > limits.maxWait || !limitRow) return tooLong(wait.reason);
  const row = `${limitRow.count + 1} times in a row, for longer than limits.maxWait`;
  return { kind: 'stop', why: 'limited', reason: `${wait.reason}; ${row}` };
}

function tooLong(reason: string): WaitPlan {
  return { kind: 'stop', why: 'limited', reason: `${reason}; the reset is later than limits.maxWait` };
}

/** Stops after too many crashes, or too long an outage. */
function planBackoff(wait: Wait, given: Parameters<typeof planWait>[1]): WaitPlan {
  const { now, jitter, crashes, outageRow } = given;
  const isOutage = wait.why === 'overload';
  const before = isOutage ? (outageRow?.count ?? 0) : crashes;
  const pause = stepOf(Math.min(before, fixed.backoffs));
  const until = now + Math.round(pause * (1 + jitter / 4));
  if (isOutage) return planOutage(wait, until, given);
  if (crashes < fixed.backoffs) return { until };
  const { why, ...hint } = wait.atLast ?? ({ why: 'crashing' } as const);
  return { kind: 'stop', why, reason: `${wait.reason}, ${crashes + 1} times in a row`, ...hint };
}

/** As long as a usage limit may. */
function planOutage(wait: Wait, until: number, { now, limits, outageRow }: WaitGiven & WaitPast): WaitPlan {
  const since = outageRow ? Math.min(now, Date.parse(outageRow.since)) : now;
  if (until - since <= limits.maxWait) return { until };
  const row = `${(outageRow?.count ?? 0) + 1} times in a row, for longer than limits.maxWait`;
  return { kind: 'stop', why: 'outage', reason: `${wait.reason}; ${row}` };
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
