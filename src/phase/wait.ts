// Waiting for a limit, an overload or a crashing agent: how long is pure judgement, the wait itself is told and can be cut short.
import type { Config } from '../config/schema.ts';
import { type EndOfTime, endOfTime } from './budget.ts';
import type { Verdict } from './judge.ts';
import type { Context } from './phase.ts';

type Wait = Extract<Verdict, { kind: 'wait' }>;

/** Until when to wait (epoch milliseconds), or why it is no use. */
export type WaitPlan = Readonly<
  { until: number } | { stop: 'limited' | 'crashing' | 'budget'; reason: string; hint?: string }
>;

/** A limit without a known reset is looked at again after this, milliseconds. */
const unknownResetMs = 15 * 60_000;

/** Plans a wait. `outages`: waits in a row for an overload or a crash; `jitter` from 0 to 1 spreads the return. */
export function planWait(
  wait: Wait,
  given: Readonly<{
    now: number;
    outages: number;
    limits: Config['limits'];
    jitter: number;
    /** When the run's own time is over; absent: it has no cap. */
    end?: EndOfTime | undefined;
  }>,
): WaitPlan {
  const plan = planFreely(wait, given);
  if (!given.end || 'stop' in plan || plan.until < given.end.at) return plan;
  const { cap, hint } = given.end;
  return { stop: 'budget', reason: `${wait.reason}; the wait is longer than ${cap}`, hint };
}

/** A wait as if the run had all the time. */
function planFreely(wait: Wait, given: Parameters<typeof planWait>[1]): WaitPlan {
  const { now, limits } = given;
  if (wait.why === 'limit') {
    const until =
      Math.max(now, wait.until ?? now + unknownResetMs) +
      Math.round(given.jitter * Math.min(30_000, limits.backoff));
    if (until - now <= limits.maxWait) return { until };
    return { stop: 'limited', reason: `${wait.reason}; the reset is later than limits.maxWait` };
  }
  if (given.outages >= limits.backoffs) {
    const stop = wait.why === 'overload' ? 'limited' : 'crashing';
    return { stop, reason: `${wait.reason}, ${given.outages + 1} times in a row` };
  }
  const steps = limits.backoffs - 1 - given.outages;
  return { until: now + Math.round((limits.backoff / 2 ** steps) * (1 + given.jitter / 4)) };
}

/** Waits as the verdict says, but no longer than a person lets it or it `isWanted`; returns why the run has to stop instead, if it has to. */
export async function waitFor(
  ctx: Context,
  wait: Wait,
  isWanted: () => boolean = () => true,
): Promise<Extract<WaitPlan, { stop: string }> | undefined> {
  const now = ctx.now().getTime();
  const plan = planWait(wait, {
    now,
    end: endOfTime(ctx.state(), now),
    outages: ctx.state().outages,
    limits: ctx.config.limits,
    jitter: Number.parseInt(ctx.random(1), 16) / 255,
  });
  if ('stop' in plan) return plan;
  ctx.emit({ type: 'waiting', why: wait.why, until: plan.until, text: wait.reason });
  // A person who goes on has ended the wait in the state.
  const isCut = () => ctx.state().waiting === undefined || !isWanted();
  await sleepUntil(ctx, { until: plan.until, wakingMs: plan.until - now }, isCut);
  ctx.emit({ type: 'waited', how: ctx.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  return undefined;
}

/** In short sleeps against the wall clock, where a laptop's sleep counts; but never for more waking time than was planned, should that clock be set back. */
async function sleepUntil(
  ctx: Context,
  { until, wakingMs }: Readonly<{ until: number; wakingMs: number }>,
  isCut: () => boolean,
): Promise<void> {
  let leftMs = wakingMs;
  while (!ctx.signal.aborted && !isCut() && leftMs > 0 && ctx.now().getTime() < until) {
    const stepMs = Math.min(1_000, leftMs);
    await ctx.sleep(stepMs, AbortSignal.any([ctx.signal, ctx.wake()]));
    leftMs -= stepMs;
  }
}
