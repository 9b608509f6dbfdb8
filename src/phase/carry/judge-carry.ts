// What the carried ref of a run means for whoever has its journal: go on, push, stop, or take it up. Pure.
import type { Carry } from '../../journal/carry-state.ts';

/** What stands in the ref. */
export type Standing = Readonly<{ oid: string; host: string; at: string; ended: boolean }>;

/** What it means for a run that is carried from here. */
export type CarryJudgement =
  /** It is as this run left it, or as its own push left it that nobody told it of: the next lease is on `old`. */
  | Readonly<{ kind: 'ours'; old: string | undefined }>
  /** The ref is gone: somebody removed it. It is made anew. */
  | Readonly<{ kind: 'gone' }>
  /** Another took the run up. */
  | Readonly<{ kind: 'fenced'; by: Readonly<{ host: string; at: string }> }>;

/** One row of the table. `isOwn`: what is there was written here. */
export function judgeCarry(
  { oid }: Pick<Carry, 'oid'>,
  there: Standing | undefined,
  isOwn: boolean,
): CarryJudgement {
  if (!there) return oid === undefined ? { kind: 'ours', old: undefined } : { kind: 'gone' };
  if (there.oid === oid || isOwn) return { kind: 'ours', old: there.oid };
  return { kind: 'fenced', by: { host: there.host, at: there.at } };
}

/** What becomes of a wish to take a run up. */
export type TakeJudgement =
  | Readonly<{ kind: 'take' }>
  /** Nothing of it is left to do. */
  | Readonly<{ kind: 'ended' }>
  /** The same, and the remote does not know yet. */
  | Readonly<{ kind: 'untold' }>
  /** A pawl works on it in this repository. */
  | Readonly<{ kind: 'live' }>
  /** It is this repository's already: `pawl run` goes on. */
  | Readonly<{ kind: 'here' }>;

/** `local`: the run as this repository's own journal tells it, if it does; `isOwn`: what is there was written here. */
export function judgeTake(
  there: Standing,
  local: Readonly<{ live: boolean; finished: boolean; carry: Carry | undefined; isOwn: boolean }> | undefined,
): TakeJudgement {
  if (there.ended) return { kind: 'ended' };
  if (local?.live) return { kind: 'live' };
  const own = local?.carry;
  if (!own || own.fenced || judgeCarry(own, there, local.isOwn).kind !== 'ours') return { kind: 'take' };
  return { kind: local.finished ? 'untold' : 'here' };
}
