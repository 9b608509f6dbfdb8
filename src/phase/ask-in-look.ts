// Sessions that only look, as reviewers and planners do: when they may be asked, the talk with one, and what a turn of
// it yields. Only a session that ended by itself with a readable answer counts.
import type { Outcome, Turn } from '../agent/session/session-plan.ts';
import type { Opinion } from '../event/finding.ts';
import type { Reading } from '../finding/opinion.ts';
import { inLook } from '../ground/in-ground.ts';
import type { Place } from '../place/place.ts';
import { emitBudgets, overspendNow } from '../work/budget/spending.ts';
import { whileStill } from '../work/guard/standstill.ts';
import { isTurnEnd } from '../work/judge/judge.ts';
import { hintOf, judgeService, judgeUnusable, type Verdict } from '../work/judge/verdict.ts';
import { awaitTurn } from '../work/session/await-turn.ts';
import { type Duty, findUnusable } from '../work/session/choose-agent.ts';
import {
  fillNow,
  type Opening,
  openRunSession,
  prepareOpening,
  type SessionGiven,
} from '../work/session/open-session.ts';
import { interrupted, type Stop } from '../work/stopped.ts';
import { waitBefore, waitFor } from '../work/wait/wait.ts';

export type Asking = Readonly<{
  who: 'reviewer' | 'planner';
  head: string;
  base: string;
  /** For which an agent must be free. */
  duties: readonly Duty[];
  /** Journals what each says; returns whom it asked. */
  ask: (root: string) => Promise<readonly Readonly<{ duties: readonly Duty[]; reply: Reply<unknown> }>[]>;
}>;

const mostPasses = 1_000;

/** Until nobody is left to ask, which `next` sees in the journal. A reply that the run must act on stops it. */
export async function askInLook(
  place: Place,
  next: () => Promise<Asking | undefined>,
): Promise<Stop | undefined> {
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    emitBudgets(place);
    const asking = await next();
    if (!asking) return undefined;
    const stop = await askOnce(place, asking);
    if (stop) return stop;
  }
  return { kind: 'stop', why: 'crashing', reason: 'reviewers or planners never finish' };
}

async function askOnce(place: Place, { who, duties, ask, ...at }: Asking): Promise<Stop | undefined> {
  if (place.run.signal.aborted) return interrupted;
  const overspend = overspendNow(place, undefined, { newSession: true });
  if (overspend) return { kind: 'stop', why: 'budget', ...overspend };
  const noWait = await waitBefore(place, { duties, isWanted: () => !place.run.state().pause });
  if (noWait) return noWait;
  const asked = await whileStill(place, who, () => inLook(place, { ...at, who }, ask));
  for (const { reply } of asked) if (reply.kind === 'stop') return reply;
  if (place.run.signal.aborted) return interrupted;
  const waits = asked.flatMap(({ reply, ...whose }) => (reply.kind === 'wait' ? [{ reply, ...whose }] : []));
  // The longest covers all that hit a limit.
  const [longest] = waits.toSorted((a, b) => (b.reply.until ?? 0) - (a.reply.until ?? 0));
  const waiting = waits.flatMap((wait) => wait.duties);
  return longest && waitFor(place, longest.reply, { duties: waiting, isWanted: () => true });
}

export type Talk<T> = Readonly<{
  read: (turn: Turn) => Reading<T>;
  /** The next message to the session; undefined ends the talk. `sent`: messages so far. */
  answer: (heard: HeardTurn<T>, sent: number) => string | undefined | Promise<string | undefined>;
  /** One that only asks has finished too. */
  mayAsk?: true;
}>;

/** With a session at `root` that changes nothing. Returns the last reply, once it is over. */
export async function talk<T>(
  place: Place,
  root: string,
  begin: (opening: Opening) => Omit<SessionGiven, 'cwd'> & Talk<T>,
): Promise<Reply<T>> {
  const prepared = prepareOpening(place);
  const opening = { ...prepared, values: { ...prepared.values, ROOT: root } };
  const { read, answer, mayAsk, ...given } = begin(opening);
  const request = { ...given.request, readOnly: true };
  const session = openRunSession(place, opening, { ...given, request, cwd: root });
  try {
    let coming = session.firstTurn();
    for (let sent = 0; ; sent += 1) {
      const { turn, halt } = await awaitTurn(place, { session }, coming);
      const reading = read(turn);
      const isQuestion = mayAsk && turn.outcome.kind === 'needs-input' && 'value' in reading;
      const outcome = isQuestion ? ({ ...turn.outcome, kind: 'done' } as const) : turn.outcome;
      const isHalted = halt !== undefined || place.run.signal.aborted;
      const reply = judgeReply(outcome, reading, { isHalted, unusable: findUnusable(place, opening.number) });
      const message = await answer({ turn, reply }, sent);
      if (message === undefined) return reply;
      coming = session.correct(message);
    }
  } finally {
    await session.close();
    emitBudgets(place);
  }
}

type HeardTurn<T> = Readonly<{ turn: Turn; reply: Reply<T> }>;

/** By `template`, what was wrong with an unreadable answer, if the same session may repeat it. */
export function correct<T>(
  place: Place,
  { turn, reply }: HeardTurn<T>,
  { template, nonce }: Readonly<{ template: string; nonce: string }>,
): string | undefined {
  if (reply.kind !== 'missing' || !reply.isUnread || !mayGoOn(place, turn)) return undefined;
  return fillNow(place, template, { PROBLEM: reply.reason, NONCE: nonce });
}

export function mayGoOn(place: Place, { canCorrect }: Turn): boolean {
  const isFree = canCorrect && !place.run.signal.aborted;
  return isFree && overspendNow(place, undefined, { newSession: false }) === undefined;
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
