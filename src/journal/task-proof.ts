// What the checks of a closed or ticked task come to. Pure.
import type { ProofWord } from '../event/proof.ts';
import type { FactOf } from '../event.ts';
import type { RunState, TaskState } from './state.ts';

/** By experiments, or else its checks; undefined if pawl did not close it. */
export function proofWordOf({
  standing,
  closed,
  judged,
}: Pick<TaskState, 'standing' | 'closed' | 'judged'>): ProofWord | undefined {
  return standing === 'closed' ? (judged?.word ?? closed?.proof ?? 'unchecked') : undefined;
}

/** Until its experiments end, its word may become another. */
export function isProofPending({ standing, closed, judged }: TaskState): boolean {
  return standing === 'closed' && closed?.pending !== undefined && judged === undefined;
}

/** Red, and still in the plan: a removed check is asked of nobody. */
export function isStillRed({ result, command }: FactOf<'check-ended'>, plan: RunState['plan']): boolean {
  if (result === 'green' || plan?.checks === undefined) return result !== 'green';
  return plan.checks.includes(command) || plan.tasks.some(({ checks }) => checks?.includes(command));
}

/** Ticked by a person, although a check was red after the last session. */
export function isRedByHand({ standing, checks }: TaskState, plan: RunState['plan']): boolean {
  const isRed = checks.some((check) => check.when === 'after' && !check.knownRed && isStillRed(check, plan));
  return standing === 'closed-by-hand' && isRed;
}
