// One turn of a reviewer or planner, awaited, and what it yields: only a session that ended by itself with a readable
// answer counts.
import type { Outcome, Session, Turn } from '../../agent/session/session-plan.ts';
import type { Opinion } from '../../event/finding.ts';
import type { Reading } from '../../finding/opinion.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import { isTurnEnd } from '../../work/judge/judge.ts';
import { hintOf, judgeService, judgeUnusable, type Verdict } from '../../work/judge/verdict.ts';
import { awaitTurn } from '../../work/session/await-turn.ts';
import { findUnusable } from '../../work/session/choose-agent.ts';

/** `mayAsk`: one that only asks has finished too. */
type Coming = Readonly<{ session: Session; number: number; turn: Promise<Turn>; mayAsk?: true }>;

export type HeardTurn<T> = Readonly<{ turn: Turn; reply: Reply<T> }>;

export async function hearTurn<T>(
  place: Place,
  { session, number, turn: coming, mayAsk }: Coming,
  read: (turn: Turn) => Reading<T>,
): Promise<HeardTurn<T>> {
  const { turn, halt } = await awaitTurn(place, { session }, coming);
  const reading = read(turn);
  const isHalted = halt !== undefined || place.run.signal.aborted;
  const isQuestion = mayAsk && turn.outcome.kind === 'needs-input' && 'value' in reading;
  const outcome = isQuestion ? ({ ...turn.outcome, kind: 'done' } as const) : turn.outcome;
  return { turn, reply: judgeReply(outcome, reading, { isHalted, unusable: findUnusable(place, number) }) };
}

/** What was wrong with an unreadable answer, if the same session may repeat it. */
export function findCorrection<T>(place: Place, { turn, reply }: HeardTurn<T>): string | undefined {
  if (reply.kind !== 'missing' || !reply.isUnread || !turn.canCorrect || place.run.signal.aborted)
    return undefined;
  return overspendNow(place, undefined, { newSession: false }) === undefined ? reply.reason : undefined;
}

export type Reply<T = Opinion> =
  | Readonly<{ kind: 'opinion'; opinion: T }>
  /** `isUnread`: the session finished, and can be asked once more. */
  | Readonly<{ kind: 'missing'; reason: string; isUnread: boolean }>
  /** A person ended it; it is asked again. */
  | Readonly<{ kind: 'held' }>
  | Extract<Verdict, { kind: 'wait' | 'stop' }>;

/** `isHalted`: a person ended it; `unusable`: the stand-in that could not work. */
export function judgeReply<T>(
  outcome: Outcome,
  reading: Reading<T>,
  { isHalted, unusable }: Readonly<{ isHalted: boolean; unusable?: string | undefined }>,
): Reply<T> {
  if (unusable !== undefined) return judgeUnusable(unusable, outcome);
  const { kind, reason } = outcome;
  if (kind === 'limited' || kind === 'overloaded') return judgeService(outcome);
  if (kind === 'refused') return { kind: 'stop', why: 'refused', reason, ...hintOf(outcome.remedies) };
  if (kind === 'interrupted' && isHalted) return { kind: 'held' };
  if (kind !== 'failed' && isTurnEnd(outcome))
    return 'value' in reading
      ? { kind: 'opinion', opinion: reading.value }
      : { kind: 'missing', reason: reading.problem, isUnread: true };
  return { kind: 'missing', reason, isUnread: false };
}
