// One turn of a reviewer or planner, awaited and judged.
import type { Session, Turn } from '../../agent/session/session-plan.ts';
import type { Reading } from '../../finding/reading.ts';
import type { Place } from '../../place/place.ts';
import { overspendNow, withinBudget } from '../../work/budget/spending.ts';
import { awaitTurn } from '../../work/session/await-turn.ts';
import { findUnusable } from '../../work/session/choose-agent.ts';
import { judgeReply, type Reply } from './judge-reply.ts';

/** `mayAsk`: one that only asks has finished too. */
type Coming = Readonly<{ session: Session; number: number; turn: Promise<Turn>; mayAsk?: true }>;

export type HeardTurn<T> = Readonly<{ turn: Turn; reply: Reply<T> }>;

export async function hearTurn<T>(
  place: Place,
  { session, number, turn: coming, mayAsk }: Coming,
  read: (turn: Turn) => Reading<T>,
): Promise<HeardTurn<T>> {
  const within = withinBudget(place, undefined, { session, turn: coming });
  const { turn, halt } = await awaitTurn(place, { session }, within);
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
