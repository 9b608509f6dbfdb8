// What green checks printed against themselves, beside earlier results: the plan's, closed tasks', the task's own.
import type { CheckRun } from '../../check/check-run.ts';
import type { FactOf } from '../../event.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { RunState, TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { judgeCounts } from '../../proof/judge-counts.ts';
import { stateOf, type Work } from '../work.ts';

/** Tests that `redefines:` names may be fewer. */
export function describeCounts(
  place: Place,
  { task }: Pick<Work, 'task'>,
  { runs = [], tree }: Readonly<{ runs: readonly CheckRun[] | undefined; tree: WrittenTree }>,
): readonly string[] {
  const counted = runs
    .filter(({ check }) => !check.knownRed)
    .map(({ check, result, tests }) => ({ command: check.command, result, tests }));
  const { redefines = [] } = task;
  const mayLose = redefines.length > 0 && tree.files.some(({ file }) => matchesAny(file, redefines));
  return judgeCounts(counted, countsBefore(place.run.state(), stateOf(place, task)), { mayLose });
}

function countsBefore({ baseline, tasks }: RunState, task: TaskState): readonly FactOf<'check-ended'>[] {
  const closed = [...tasks.values()]
    .filter(({ closed, id }) => closed !== undefined && id !== task.id)
    .sort((one, other) => (one.closed?.at ?? '').localeCompare(other.closed?.at ?? ''));
  return [
    ...baseline,
    ...closed.flatMap(({ checks }) => checks.filter(({ when }) => when === 'after')),
    ...task.checks.filter(({ when }) => when === 'before'),
  ];
}
