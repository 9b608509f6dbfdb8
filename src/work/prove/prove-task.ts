// Experiments on closed tasks' commits, one at a time. A task is due until judged, so the next start goes on.

import { asFailure } from '../../failure.ts';
import { matchesAny } from '../../git/tree/glob.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { TaskState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { experiment } from '../../proof/experiments.ts';
import { nameUnproven } from '../../proof/list-unproven.ts';
import { readChange } from '../../proof/read-change.ts';
import { type Experiments, judgeProof, type Leave, type TreeProof } from '../../proof/task-proof.ts';
import type { CheckSummary } from '../judge/verdict.ts';
import { findLeave } from '../leave.ts';
import { readPlanSnapshot } from '../plan/plan-snapshot.ts';
import { commitOf, inTrials } from '../tree/set-up-ground.ts';
import { checksOf, isHookCheck, isOfPlan, type PlacedCheck, stateOf, type Work } from '../work.ts';

type Provable = Readonly<{ task: Task; commit: string; base: string; checks: readonly PlacedCheck[] }>;

/** Silent if there is nothing to try, or interrupted. */
async function proveClosed(place: Place, { id, closed }: TaskState): Promise<void> {
  const task = readPlanSnapshot(place).plan.tasks.find((one) => one.id === id);
  if (!task || !closed) return;
  const base = (await place.repo.git(['rev-parse', `${closed.oid}^`])).trim();
  const found = { task, commit: closed.oid, base, turnedGreen: closed.proof === 'proven', unproved: [] };
  const { word, reasons, experiments } = await judgeCommit(place, found);
  if (!experiments || place.run.signal.aborted) return;
  place.run.emit({ type: 'proof-judged', task: id, word, reasons: [...reasons], experiments });
}

export async function proveTree(
  place: Place,
  work: Work,
  {
    tree,
    checks,
    unproved,
  }: Readonly<{ tree: WrittenTree; checks: CheckSummary | undefined; unproved: readonly string[] }>,
): Promise<TreeProof | undefined> {
  const { task } = work;
  const base = tree.look.head.commit;
  const isAsked = place.run.config.prove === 'close' && isOfPlan(work);
  if (!isAsked || base === undefined || stateOf(place, task).answers.length > 0) return undefined;
  const commit = await commitOf(place, tree);
  const turnedGreen = checks?.turnedGreen || checks?.wasRed === true;
  return judgeCommit(place, { task, commit, base, turnedGreen, unproved });
}

type Judgeable = Omit<Provable, 'checks'> & Readonly<{ turnedGreen: boolean; unproved: readonly string[] }>;

async function judgeCommit(place: Place, found: Judgeable): Promise<TreeProof> {
  const { task, turnedGreen, unproved } = found;
  const all = checksOf(place, readPlanSnapshot(place), task);
  // Its own first: they are the first to be red.
  const checks = all
    .filter((check) => !check.knownRed && !isHookCheck(check))
    .sort((one, other) => Number(other.scope === 'task') - Number(one.scope === 'task'));
  const experiments = await proveCommit(place, { ...found, checks }, { turnedGreen });
  const leave: Leave = {
    config: (file) => findLeave(place, task, file) !== undefined,
    redefines: (file) => matchesAny(file, task.redefines ?? []),
    isRefactoring: task.refactor === true,
  };
  const seen = { ran: checks.length, turnedGreen, unproved, counts: [], experiments, leave };
  return { ...judgeProof(seen), missed: experiments ? nameUnproven(experiments) : [], experiments };
}

async function proveCommit(
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
    experiment(change, trials, { turnedGreen, isRefactoring: task.refactor === true }),
  );
}

export type Proving = Readonly<{
  /** Returns at once. */
  wake(): void;
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
    // A defect is thrown where it is waited for.
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

/** That experiments cannot be made is no reason to stop. */
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
