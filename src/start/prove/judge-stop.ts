// Pure. Whether an agent that wants to stop is sent back to work, by a quick proof and how often it was before.
import type { TaskProof } from '../../proof/task-proof.ts';

/** `reason` is for the agent, `told` for the person. */
export type StopAnswer = Readonly<
  { decision: 'block'; reason: string } | { decision: 'allow'; told?: string }
>;

export type PastStop = Readonly<{
  decision: StopAnswer['decision'];
  at: string;
  word: string;
  reasons: readonly string[];
}>;

/** Sends unchecked work back `most` times in a row; then lets go. */
export function judgeStop(
  proof: TaskProof & Readonly<{ output: string }>,
  past: readonly PastStop[],
  most: number,
): StopAnswer {
  if (proof.word !== 'unchecked') return { decision: 'allow' };
  const why = proof.reasons.join('; ');
  const blocked = past.length - 1 - past.findLastIndex(({ decision }) => decision === 'allow');
  if (blocked >= most)
    return { decision: 'allow', told: `pawl let it stop, although after ${most} corrections ${why}` };
  const output = proof.output.trim();
  return {
    decision: 'block',
    reason: [`The work is not done: ${why}.`, ...(output === '' ? [] : [output.slice(-4000)])].join('\n\n'),
  };
}
