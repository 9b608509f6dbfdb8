// The last step of a close.
import { runnerOf } from '../../check/host-programs.ts';
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Committed } from '../../git/commit/commit.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import { countChanges } from '../../git/tree/raw-diff.ts';
import { findWorkState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { findUnnamed } from '../guard/user-files.ts';
import { hashPlan } from '../plan/plan-snapshot.ts';

/** Ticks a plan that is in no commit, and tells the journal. */
export function confirmClose(
  place: Place,
  closing: FactOf<'closing'>,
  { oid, files: changed, ticked }: Pick<Committed, 'oid' | 'files'> & Readonly<{ ticked: string }>,
): void {
  if (!place.plan.tracked && !place.lane && !place.run.state().fixes.has(closing.task))
    writePlanFile(place.plan.file, ticked);
  // Ticks are not work.
  const files = changed.filter(({ file }) => file !== place.plan.name);
  place.run.emit({
    type: 'task-closed',
    task: closing.task,
    oid,
    key: closing.key,
    proof: closing.proof,
    ...defined({ pending: closing.pending }),
    reason: closing.reason,
    summary: closing.summary,
    ...countChanges(files),
    ...namesOf(place, ticked, { id: closing.task, files: files.map(({ file }) => file) }),
    ...hostProgramsOf(files),
    ...mendedIn(place, closing.task, files),
    planHash: hashPlan(ticked),
  });
}

function hostProgramsOf(files: Committed['files']): Pick<FactOf<'task-closed'>, 'hostPrograms'> {
  const found = files.filter(({ file, status }) => status !== 'deleted' && runnerOf(file) !== undefined);
  return found.length === 0 ? {} : { hostPrograms: found.map(({ file }) => file) };
}

function mendedIn(
  { run }: Place,
  id: string,
  files: Committed['files'],
): Pick<FactOf<'task-closed'>, 'mended'> {
  const { reds = [] } = findWorkState(run.state(), id) ?? {};
  return reds.length === 0 ? {} : { mended: files.slice(0, 10).map(({ file }) => file) };
}

function namesOf(
  place: Place,
  text: string,
  { id, files }: Readonly<{ id: string; files: readonly string[] }>,
): Pick<FactOf<'task-closed'>, 'outside' | 'unnamed'> {
  const globs = parsePlan(text, place.plan.file).tasks.find((task) => task.id === id)?.files ?? [];
  const outside = globs.length === 0 ? [] : files.filter((file) => !matchesAny(file, globs));
  const unnamed = findUnnamed(place, { id, files: globs }, files);
  return {
    ...(outside.length === 0 ? {} : { outside }),
    ...(unnamed.files.length === 0 ? {} : { unnamed: [...unnamed.files] }),
  };
}
