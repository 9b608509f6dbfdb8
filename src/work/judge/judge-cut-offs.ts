// What follows from repeated kills of pawl during a task. Pure.
import { fixed } from '../../config/fixed.ts';
import type { RunState } from '../../journal/state.ts';

type CutOffSource = Readonly<{ state: () => Pick<RunState, 'cutOffs'> }>;

export function whyTaskCutOff({ state }: CutOffSource, task: string): string | undefined {
  const times = state().cutOffs.times.get(task) ?? 0;
  if (times < fixed.cutOffs) return undefined;
  return `pawl was killed ${times === 1 ? 'once' : `${times} times in a row`} while it worked on this task; what it starts may need more memory than there is`;
}

export function whyRunCutOff({ state }: CutOffSource): string | undefined {
  const { beside } = state().cutOffs;
  if (beside < fixed.cutOffs) return undefined;
  return `pawl was killed ${beside === 1 ? 'once' : `${beside} times in a row`} while it worked on no task: at its start, in a review or at its end; what it starts may need more memory than there is`;
}

/** They may be to blame: worked on alone, they take no other along. */
export function listSuspects({ state }: CutOffSource): readonly string[] {
  return [...state().cutOffs.times].flatMap(([id, times]) => (times >= fixed.cutOffs - 1 ? [id] : []));
}
