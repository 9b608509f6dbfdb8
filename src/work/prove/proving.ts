// Proves closed tasks in the order in which they closed, one at a time, while others are worked on. What a kill cut off is
// taken up by the next start: a task is due as long as it is closed and not judged.
import { asFailure } from '../../failure.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { proveClosed } from './prove-task.ts';

export type Proving = Readonly<{
  /** Goes on if anything is due; returns at once. */
  wake(): void;
  /** Proves what is due, and waits for it. */
  finish(): Promise<void>;
}>;

export function createProving(place: Place): Proving {
  const tried = new Set<string>();
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let due = nextDue(place, tried); due && !place.run.signal.aborted; due = nextDue(place, tried)) {
      tried.add(due.id);
      await prove(place, due);
    }
  };
  const start = (): Promise<void> => {
    working ??= work().finally(() => {
      working = undefined;
    });
    return working;
  };
  return {
    // A defect of pawl is thrown where it is waited for.
    wake: () => void start().catch(() => undefined),
    finish: async () => {
      await working;
      await start();
    },
  };
}

function nextDue({ run }: Place, tried: ReadonlySet<string>): TaskState | undefined {
  if (run.config.prove === 'off') return undefined;
  return [...run.state().tasks.values()]
    .filter(({ id, standing, closed, judged }) => {
      const isOpen = closed === undefined || judged !== undefined || tried.has(id);
      return standing === 'closed' && !isOpen && closed.proof !== 'unchecked';
    })
    .sort((one, other) => (one.closed?.at ?? '').localeCompare(other.closed?.at ?? ''))[0];
}

/** That experiments cannot be made here is no reason to stop. */
async function prove(place: Place, task: TaskState): Promise<void> {
  try {
    await proveClosed(place, task);
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    const text = `No experiments were made on task ${task.id}: ${failure.message}`;
    place.run.emit({ type: 'noticed', code: 'no-experiments', text });
  }
}
