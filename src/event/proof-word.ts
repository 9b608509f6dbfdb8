// The word for a closed task: what the experiments came to, or what its checks had said before. Pure.
import type { FactOf } from '../event.ts';
import type { ProofWord } from './proof.ts';

/** Undefined if pawl did not close it. */
export function proofWordOf({
  standing,
  closed,
  judged,
}: Readonly<{
  standing: string;
  closed?: Pick<FactOf<'task-closed'>, 'proof'>;
  judged?: Pick<FactOf<'proof-judged'>, 'word'>;
}>): ProofWord | undefined {
  return standing === 'closed' ? (judged?.word ?? closed?.proof ?? 'unchecked') : undefined;
}
