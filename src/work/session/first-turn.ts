// The first turn of an attempt's session. One that was to go on with an earlier conversation, and could not, is followed
// by a fresh one at once: the work is not judged by that.
import type { Turn } from '../../agent/session/session-plan.ts';
import type { Snapshot } from '../../git/snapshot.ts';
import type { Context } from '../../place/context.ts';
import { overspendNow, withinBudget } from '../budget/spending.ts';
import type { CorrectionKind } from '../judge/verdict.ts';
import type { Work } from '../work.ts';
import { type Attended, type AttendedTurn, attendTurn, findHold } from './await-turn.ts';
import type { Started, StartGiven } from './start-session.ts';

/** A session in the middle of its attempt. */
export type Live = Started &
  Required<Attended> &
  Readonly<{
    before: Snapshot;
    /** Corrections of each kind sent so far. */
    sent: CorrectionKind[];
    /** What each of its turns said, without marker lines. */
    said: string[];
  }>;

type Begun = Readonly<{ live: Live; ended: AttendedTurn }>;

/** Starts the attempt's session and waits for its first turn; the session is the caller's to close. */
export async function takeFirstTurn(
  ctx: Context,
  work: Work,
  given: Omit<StartGiven, 'fresh'>,
): Promise<Begun> {
  const begun = await begin(ctx, work, { ...given, fresh: false });
  const { live, ended } = begun;
  if (!live.continues || ended.halt || !isLost(ended.turn) || !mayBeginAnew(ctx, work)) return begun;
  await live.session.close();
  return begin(ctx, work, { ...given, fresh: true });
}

async function begin(ctx: Context, work: Work, given: StartGiven): Promise<Begun> {
  const started = ctx.hands.startSession(ctx, work, given);
  const live: Live = { ...started, task: work.task, before: given.before, sent: [], said: [] };
  const { session } = live;
  try {
    const turn = withinBudget(ctx, work.task, { session, turn: session.firstTurn() });
    return { live, ended: await attendTurn(ctx, live, turn) };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** The agent has the conversation no more, or cannot take it up: the model never had a word. */
function isLost({ spoke, outcome }: Turn): boolean {
  return !spoke && (outcome.kind === 'crashed' || outcome.kind === 'unfinished');
}

/** No session is begun without leave. */
function mayBeginAnew(ctx: Context, { task }: Work): boolean {
  if (ctx.signal.aborted || findHold(ctx, task) !== undefined) return false;
  return overspendNow(ctx, task, { newSession: true }) === undefined;
}
