// The plan file when a closed task is undone.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, moveFile } from '../../disk.ts';
import { commitFileMove } from '../../git/commit/commit-file.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunState } from '../../journal/state.ts';
import { readPlanFile, writePlanFile } from '../../plan/file.ts';
import { parsePlan } from '../../plan/parse.ts';
import type { Plan } from '../../plan/plan.ts';
import { untickTask } from '../../plan/tick.ts';

export type PlanLocation = Readonly<{ file: string; name: string; now: string; tracked: boolean }>;

export function placePlan(repo: Repo, { started, archived, undoing }: RunState): PlanLocation {
  const file = path.resolve(repo.root, started.plan);
  return {
    file,
    name: started.plan,
    now: path.resolve(repo.root, undoing?.plan ?? archived?.to ?? started.plan),
    tracked: started.planPlace === 'tracked',
  };
}

/** When the undo began. `head`: HEAD then, for an undo that a kill cut off: the file may already be back. */
export async function readPresent(
  repo: Repo,
  place: PlanLocation,
  head: string | undefined,
): Promise<string> {
  if (head !== undefined && place.tracked) {
    const blob = `${head}:${path.relative(repo.root, place.now)}`;
    return (await repo.bytes(['cat-file', '--filters', blob])).toString('utf8');
  }
  return readPlanFile(existsSync(place.now) ? place.now : place.file).text;
}

export async function readPlanAt(repo: Repo, commit: string, name: string): Promise<Plan | undefined> {
  const text = await repo.bytes(['cat-file', 'blob', `${commit}:${name}`], { okCodes: [0, 128] });
  return text.length === 0 ? undefined : parsePlan(text.toString('utf8'), name);
}

export async function movePlanBack(
  repo: Repo,
  place: PlanLocation,
  run: Readonly<{ id: string; folder: string }>,
): Promise<void> {
  if (place.now === place.file) return;
  if (existsSync(place.now) && !existsSync(place.file)) {
    makeFolder(path.dirname(place.file));
    moveFile(place.now, place.file);
  }
  const from = path.relative(repo.root, place.now);
  if (!place.tracked || (await repo.git(['ls-tree', 'HEAD', '--', from])) === '') return;
  await commitFileMove(repo, {
    from,
    to: place.name,
    message: `plan: take ${path.basename(place.name)} back from the archive\n\nPawl-Run: ${run.id}`,
    mark: `PAWL_CHECK=${run.folder}/commit`,
  });
}

export function writeReopened(
  file: string,
  found: Readonly<{ present: string; before: Plan | undefined; reopened: readonly string[] }>,
): void {
  const text = found.reopened.reduce((last, task) => {
    const plan = parsePlan(last, file);
    return plan.tasks.some(({ id }) => id === task) ? untickTask(plan, task, found.before) : last;
  }, found.present);
  if (!existsSync(file) || readPlanFile(file).text !== text) writePlanFile(file, text);
}
