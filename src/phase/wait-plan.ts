// How long a wait is, and when it is no use. Pure.
import type { Config } from '../config/schema.ts';
import type { FactOf, Stamped } from '../event.ts';
import type { RunState } from '../journal/state.ts';
import type { EndOfTime } from './budget.ts';
import type { Verdict } from './judge.ts';

/** A wait that a round asks for. */
export type Wait = Extract<Verdict, { kind: 'wait' }>;

/** Until when to wait (epoch milliseconds), or why it is no use. */
export type WaitPlan = Readonly<
  { until: number } | { stop: 'limited' | 'crashing' | 'budget'; reason: string; hint?: string }
>;

/** What a wait is planned by. */
export type WaitGiven = Readonly<{
  /** Epoch milliseconds. */
  now: number;
  limits: Config['limits'];
  /** When the run's own time is over; absent: it has no cap. */
  end?: EndOfTime | undefined;
}>;

/** What is known of the waits before it. */
export type WaitPast = Readonly<{ outages: number; limitRow?: RunState['limitRow'] | undefined }>;

/** A limit without a known reset is looked at again after this, milliseconds. */
const unknownResetMs = 15 * 60_000;

/** Plans a wait; `jitter` from 0 to 1 spreads the return. */
export function planWait(wait: Wait, given: WaitGiven & WaitPast & Readonly<{ jitter: number }>): WaitPlan {
  const plan = wait.why === 'limit' ? planLimit(wait, given) : planBackoff(wait, given);
  return withinTime(wait.reason, plan, given);
}

/** Plans the rest of a wait that was cut off; undefined when there is none. */
export function planOwed(owed: RunState['owedWait'], given: WaitGiven): WaitPlan | undefined {
  if (!owed || owed.until <= given.now) return undefined;
  const isTooLong = owed.until - given.now > given.limits.maxWait;
  return withinTime(owed.text, isTooLong ? tooLong(owed.text) : { until: owed.until }, given);
}

/** A usage window too full to begin a session in, whose reset is near; the one that resets last. Undefined: begin. */
export function findFullWindow(
  seen: Iterable<Stamped<FactOf<'limit-seen'>>>,
  { now, limits }: WaitGiven,
): { until: number; text: string } | undefined {
  const { startBelow, maxWait } = limits;
  if (startBelow === undefined) return undefined;
  let found: { until: number; text: string } | undefined;
  for (const { window, utilization = 0, resetsAt = 0 } of seen) {
    if (utilization < startBelow || resetsAt <= now || resetsAt - now > maxWait) continue;
    if (found && found.until >= resetsAt) continue;
    const share = `${Math.round(utilization * 100)} % used`;
    const text = `the usage window ${window ?? ''} is ${share} (limits.startBelow ${startBelow})`;
    found = { until: resetsAt, text: text.replaceAll('  ', ' ') };
  }
  return found;
}

/** Until the reset; one that has passed, or was waited for in vain, is waited for a little longer each time. */
function planLimit(wait: Wait, { now, limits, jitter, limitRow }: Parameters<typeof planWait>[1]): WaitPlan {
  const least = limitRow ? now + stepOf(limits, limitRow.count - 1) : now;
  const spread = Math.round(jitter * Math.min(30_000, limits.backoff));
  const until = Math.max(least, wait.until ?? now + unknownResetMs) + spread;
  const since = limitRow ? Math.min(now, Date.parse(limitRow.since)) : now;
  if (until - since <= limits.maxWait) return { until };
  if (until - now > limits.maxWait || !limitRow) return tooLong(wait.reason);
  const row = `${limitRow.count + 1} times in a row, for longer than limits.maxWait`;
  return { stop: 'limited', reason: `${wait.reason}; ${row}` };
}

function tooLong(reason: string): WaitPlan {
  return { stop: 'limited', reason: `${reason}; the reset is later than limits.maxWait` };
}

/** A pause that doubles, and in the end the run stops. */
function planBackoff(wait: Wait, { now, limits, jitter, outages }: Parameters<typeof planWait>[1]): WaitPlan {
  if (outages >= limits.backoffs) {
    const stop = wait.why === 'overload' ? 'limited' : 'crashing';
    return { stop, reason: `${wait.reason}, ${outages + 1} times in a row` };
  }
  return { until: now + Math.round(stepOf(limits, outages) * (1 + jitter / 4)) };
}

/** The pause after so many before it: half of the next, the last one and all after it `limits.backoff`. */
function stepOf({ backoff, backoffs }: Config['limits'], before: number): number {
  return backoff / 2 ** Math.max(0, backoffs - 1 - before);
}

function withinTime(reason: string, plan: WaitPlan, { end }: WaitGiven): WaitPlan {
  if (!end || 'stop' in plan || plan.until < end.at) return plan;
  return { stop: 'budget', reason: `${reason}; the wait is longer than ${end.cap}`, hint: end.hint };
}
