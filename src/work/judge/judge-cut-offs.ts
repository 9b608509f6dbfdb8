// What follows from lives of pawl that were cut off while a task was worked on. Pure.
import type { Config } from '../../config/schema.ts';
import type { RunState } from '../../journal/state.ts';

type Known = Readonly<{ config: Pick<Config, 'task'>; state: () => Pick<RunState, 'cutOffs'> }>;

/** Why a task is not gone on with: it has taken pawl down too often; undefined: it may go on. */
export function whyCutOff({ config, state }: Known, task: string): string | undefined {
  const times = state().cutOffs.times.get(task) ?? 0;
  if (times < config.task.cutOffs) return undefined;
  return `pawl was killed ${times === 1 ? 'once' : `${times} times in a row`} while it worked on this task; what it starts may need more memory than there is`;
}

/** Why the run is not gone on with: it has taken pawl down too often beside its tasks; undefined: it may go on. */
export function whyCutOffBeside({ config, state }: Known): string | undefined {
  const { beside } = state().cutOffs;
  if (beside < config.task.cutOffs) return undefined;
  return `pawl was killed ${beside === 1 ? 'once' : `${beside} times in a row`} while it worked on no task: at its start, in a review or at its end; what it starts may need more memory than there is`;
}

/** Tasks that may be to blame for the last lives: one more, and the task fails. They are worked on alone, so that no other fails for them. */
export function listSuspects({ config, state }: Known): readonly string[] {
  return [...state().cutOffs.times].flatMap(([id, times]) => (times >= config.task.cutOffs - 1 ? [id] : []));
}
