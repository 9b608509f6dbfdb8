// Which folders of earlier runs are removed when a new one begins: finished ones beyond the newest `journal.keep`, except
// those still needed for today's spending or a queue.
import { Failure } from '../../failure.ts';
import { isOfToday } from '../../journal/day.ts';
import { foldRun } from '../../journal/fold.ts';
import { listRuns, pruneRuns, type RunFolder } from '../../journal/folder.ts';
import { readJournal } from '../../journal/read-journal.ts';
import { isFinished } from '../../journal/state.ts';

/** Removes the folders of old runs of a repository; `queue`: the one that the new run is of. */
export function pruneOldRuns(
  commonDir: string,
  { keep, queue, now }: Readonly<{ keep: number; queue?: string | undefined; now: Date }>,
): void {
  const earlier = listRuns(commonDir).filter(({ folder }) => !isOfToday(folder, now));
  // A journal takes its time to read: where so few runs are there, none can be too many.
  if (earlier.length <= keep) return;
  const old = earlier.filter((run) => isDone(run, queue));
  pruneRuns(
    old.map(({ folder }) => folder),
    keep,
  );
}

/** Finished, and no run of the queue that goes on; one that cannot be read is nobody's to remove. */
function isDone({ folder }: RunFolder, queue: string | undefined): boolean {
  try {
    const state = foldRun(readJournal(folder));
    return state !== undefined && isFinished(state) && (queue === undefined || state.queue?.queue !== queue);
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
