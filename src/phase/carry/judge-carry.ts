// What a run's carried ref means to whoever has its journal: continue, push, stop, or take it up. Pure.
import type { Carry } from '../../journal/state-parts.ts';

export type CarriedTip = Readonly<{ oid: string; host: string; at: string; ended: boolean }>;

export type CarryJudgement =
  /** As this run, or a push of its own whose answer was lost, left it: the next lease is on `old`. */
  | Readonly<{ kind: 'ours'; old: string | undefined }>
  /** Somebody removed the ref; it is created again. */
  | Readonly<{ kind: 'gone' }>
  /** Another machine has taken the run up. */
  | Readonly<{ kind: 'fenced'; by: Readonly<{ host: string; at: string }> }>;

/** Written in this clone, later than what it wrote, or neither, as in a copy of it or by another run. */
export type CarryOrigin = 'own' | 'later' | 'strange';

export function judgeCarry(
  { oid }: Pick<Carry, 'oid'>,
  there: CarriedTip | undefined,
  origin: CarryOrigin,
): CarryJudgement {
  if (!there) return oid === undefined ? { kind: 'ours', old: undefined } : { kind: 'gone' };
  if (there.oid === oid || origin === 'own') return { kind: 'ours', old: there.oid };
  return { kind: 'fenced', by: { host: there.host, at: there.at } };
}

export type TakeJudgement =
  | Readonly<{ kind: 'take' }>
  | Readonly<{ kind: 'ended' }>
  /** Finished, and the remote does not know yet. */
  | Readonly<{ kind: 'untold' }>
  | Readonly<{ kind: 'live' }>
  /** `pawl run` continues it. */
  | Readonly<{ kind: 'here' }>;

/** `local`: by this repository's own journal, if any. */
export function judgeTake(
  there: CarriedTip,
  local:
    | Readonly<{ live: boolean; finished: boolean; carry: Carry | undefined; origin: CarryOrigin }>
    | undefined,
): TakeJudgement {
  if (there.ended) return { kind: 'ended' };
  if (local?.live) return { kind: 'live' };
  const own = local?.carry;
  if (!own || own.fenced || judgeCarry(own, there, local.origin).kind !== 'ours') return { kind: 'take' };
  return { kind: local.finished ? 'untold' : 'here' };
}
