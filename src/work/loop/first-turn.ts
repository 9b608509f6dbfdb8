// The first turn of an attempt's session. If the session was to continue an earlier conversation and could not, a fresh one
// follows at once and does not count as an attempt.

import type { Turn } from '../../agent/session/session-plan.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow, withinBudget } from '../budget/spending.ts';
import type { CorrectionKind } from '../judge/verdict.ts';
import type { WorkPlace } from '../landing.ts';
import { type AwaitedTurn, awaitTurn, findHold, type LiveTurn } from '../session/await-turn.ts';
import type { Started, StartGiven } from '../session/start-session.ts';
import { startSession } from '../session/start-session.ts';
import type { Work } from '../work.ts';

export type Live = Started &
  Required<LiveTurn> &
  Readonly<{
    before: Snapshot;
    /** Corrections of each kind sent so far. */
    sent: CorrectionKind[];
    /** What each of its turns said, without marker lines. */
    said: string[];
  }>;

type Begun = Readonly<{ live: Live; ended: AwaitedTurn }>;

/** Starts the attempt's session and waits for its first turn; the caller must close the session. */
export async function runFirstTurn(
  place: WorkPlace,
  work: Work,
  given: Omit<StartGiven, 'fresh'>,
): Promise<Begun> {
  for (let fresh = false; ; fresh = true) {
    const started = startSession(place, work, { ...given, fresh });
    const live: Live = { ...started, task: work.task, before: given.before, sent: [], said: [] };
    const { session, continues } = live;
    try {
      const turn = withinBudget(place, work.task, { session, turn: session.firstTurn() });
      const ended = await awaitTurn(place, live, turn);
      const isRefused = continues && !ended.halt && isLost(ended.turn);
      if (!isRefused || !mayBeginAnew(place, work)) return { live, ended };
    } catch (error) {
      await session.close();
      throw error;
    }
    await session.close();
  }
}

/** The agent no longer has the conversation, or cannot continue it: the model never got to say a word. */
function isLost({ spoke, outcome }: Turn): boolean {
  return !spoke && (outcome.kind === 'crashed' || outcome.kind === 'unfinished');
}

/** No session starts without permission. */
function mayBeginAnew(place: Place, { task }: Work): boolean {
  if (place.run.signal.aborted || findHold(place, task) !== undefined) return false;
  return overspendNow(place, task, { newSession: true }) === undefined;
}
