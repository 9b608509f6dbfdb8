// The last step of a close.
import { runnerOf } from '../../check/host-programs.ts';
import { defined, ifAny } from '../../defined.ts';
import { digestText } from '../../digest.ts';
import type { FactOf } from '../../event.ts';
import type { Committed } from '../../git/commit/commit.ts';
import { countChanges } from '../../git/tree/raw-diff.ts';
import { matchesAny } from '../../glob.ts';
import { findWorkState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import { tickTask } from '../../plan/tick.ts';
import { isSameTask } from '../begin.ts';
import { findUnnamed } from '../guard/user-files.ts';
import { listProofs, stateOf } from '../work.ts';

/** Ticks a plan that is in no commit, with a person's edits since, and tells the journal. `ticked`: without these. */
export function confirmClose(
  place: Place,
  closing: FactOf<'closing'>,
  { oid, files: changed, ticked }: Pick<Committed, 'oid' | 'files'> & Readonly<{ ticked: string }>,
): void {
  const now = place.plan.tracked || place.lane ? ticked : tickInPlace(place, closing.task);
  // Ticks are not work.
  const files = changed.filter(({ file }) => file !== place.plan.name);
  const names = files.map(({ file }) => file);
  const made = files.filter(({ status }) => status !== 'deleted').map(({ file }) => file);
  // Pawl put the tests of findings there.
  const placed = listProofs(place, closing.task).flatMap(({ tried }) => tried?.files ?? []);
  const ofSession = names.filter((file) => !placed.includes(file));
  const { reds = [] } = findWorkState(place.run.state(), closing.task) ?? {};
  const { files: globs = [] } =
    parsePlan(now, place.plan.file).tasks.find(({ id }) => id === closing.task) ?? {};
  place.run.emit({
    type: 'task-closed',
    task: closing.task,
    oid,
    key: closing.key,
    proof: closing.proof,
    reason: closing.reason,
    summary: closing.summary,
    ...countChanges(files),
    ...defined({
      pending: closing.pending,
      outside: ifAny(globs.length === 0 ? [] : names.filter((file) => !matchesAny(file, globs))),
      unnamed: ifAny(findUnnamed(place, { id: closing.task, files: globs }, ofSession).files),
      hostPrograms: ifAny(made.filter((file) => runnerOf(file) !== undefined)),
      mended: reds.length === 0 ? undefined : names.slice(0, 10),
    }),
    planHash: digestText(ticked),
  });
}

export function tickInPlace(place: Place, task: string): string {
  const { file } = place.plan;
  const text = readPlanFile(file);
  const plan = parsePlan(text, file);
  // By now another task may have its number.
  const ticked = isSameTask(plan, stateOf(place, { id: task })) ? tickTask(plan, task) : text;
  if (ticked !== text) writePlanFile(file, ticked);
  return ticked;
}
