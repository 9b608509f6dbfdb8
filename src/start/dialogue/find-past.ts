// Which planning dialogue is resumed: the named one, or the last.
import { Failure } from '../../failure.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { findOpenDialogue, type UnfinishedRun } from '../../phase/open/find-run.ts';
import type { Place } from '../locate.ts';

/** The dialogue that was named, else the one begun last that is not finished. */
export function findPast(place: Place, words: readonly string[]): UnfinishedRun {
  const runs = listRuns(place.commonDir).filter(({ started }) => started.planning !== undefined);
  const [id, more] = words;
  if (more !== undefined)
    throw new Failure('usage', '--resume takes at most one run id', { hint: listOpen(runs) });
  const wanted = id === undefined ? runs : runs.filter(({ run }) => run.startsWith(id));
  for (const { run } of wanted) {
    const open = findOpenDialogue(runs, run);
    if (open) return open;
  }
  const what =
    id === undefined ? 'no dialogue about a plan is open here' : `no open dialogue begins with ${id}`;
  throw new Failure('usage', what, { hint: listOpen(runs) });
}

function listOpen(runs: readonly RunFolder[]): string {
  const open = runs.filter(({ run }) => findOpenDialogue(runs, run));
  if (open.length === 0) return 'Begin one: pawl plan "what is wanted"';
  return open.map(({ run, started }) => `pawl plan --resume ${run}    ${started.title}`).join('\n');
}
