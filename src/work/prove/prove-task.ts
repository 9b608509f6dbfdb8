// Makes the experiments on a closed task's commit in a ground of their own, and journals what they come to.
import { matchesAny } from '../../git/tree/glob.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { type Task, wordsOf } from '../../plan/plan.ts';
import { experiment } from '../../proof/experiments.ts';
import { readChange } from '../../proof/read-change.ts';
import { type Experiments, judgeProof, type Leave } from '../../proof/task-proof.ts';
import { findLeave } from '../leave.ts';
import { readPlanSnapshot } from '../plan/plan-snapshot.ts';
import { inTrials } from '../tree/set-up-ground.ts';
import { checksOf, isHookCheck, type PlacedCheck } from '../work.ts';

/** What experiments are made on: a commit on its parent. */
export type Provable = Readonly<{ task: Task; commit: string; base: string; checks: readonly PlacedCheck[] }>;

/** Judges a task that closed with more than nothing. Undefined: nothing to try, or interrupted. */
export async function proveClosed(place: Place, { id, closed }: TaskState): Promise<void> {
  const snapshot = readPlanSnapshot(place);
  const task = snapshot.plan.tasks.find((one) => one.id === id);
  if (!task || !closed) return;
  const turnedGreen = closed.proof === 'proven';
  const checks = checksOf(place, snapshot, task).filter((check) => !check.knownRed && !isHookCheck(check));
  const base = (await place.repo.git(['rev-parse', `${closed.oid}^`])).trim();
  const experiments = await proveCommit(place, { task, commit: closed.oid, base, checks }, { turnedGreen });
  if (!experiments || place.run.signal.aborted) return;
  const config = (file: string): boolean => findLeave(place, task, file) !== undefined;
  const leave = { ...leaveOf(task), config };
  const proof = judgeProof({ ran: checks.length, turnedGreen, unproved: [], counts: [], experiments, leave });
  place.run.emit({ type: 'proof-judged', task: id, ...proof, reasons: [...proof.reasons], experiments });
}

/** What the experiments show of a commit; undefined if it changes nothing that could be put back. */
export async function proveCommit(
  place: Place,
  { task, commit, base, checks }: Provable,
  { turnedGreen }: Readonly<{ turnedGreen: boolean }>,
): Promise<Experiments | undefined> {
  const commands = checks.map(({ command }) => command);
  const change = await readChange(
    place.repo,
    { base, head: commit },
    { commands, except: [place.plan.name] },
  );
  if (change.files.length === 0 || checks.length === 0) return undefined;
  return inTrials(place, { commit, checks, task: task.id }, (trials) =>
    experiment(change, trials, { skipsWithoutWork: turnedGreen || task.refactor === true }),
  );
}

/** What the plan allows the task to change of what decides it. */
export function leaveOf(task: Task): Leave {
  const text = wordsOf(task);
  return {
    config: (file) => matchesAny(file, task.files) || text.includes(file),
    redefines: (file) => matchesAny(file, task.redefines ?? []),
    isRefactoring: task.refactor === true,
  };
}
