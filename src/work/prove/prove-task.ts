// Experiments on closed tasks' commits, one at a time. A task is due until judged, also in the next start.
import type { CheckRun } from '../../check/check-run.ts';
import { defined } from '../../defined.ts';
import type { ProofWord } from '../../event/task.ts';
import type { FactOf } from '../../event.ts';
import { needFailure } from '../../failure.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import { matchesAny } from '../../glob.ts';
import type { RunState } from '../../journal/state.ts';
import { type ClosedTask, isProofPending, listClosed, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { Task } from '../../plan/plan.ts';
import { experiment } from '../../proof/experiments.ts';
import { judgeCounts } from '../../proof/judge-counts.ts';
import { readChange } from '../../proof/read-change.ts';
import {
  judgeProof,
  type Leave,
  nameUnproven,
  type ProofSeen,
  type TreeProof,
} from '../../proof/task-proof.ts';
import { findLeave } from '../guard/touched-checks.ts';
import { isSettled } from '../judge/judge.ts';
import type { SeenWork } from '../judge/verdict.ts';
import { readPlanAt } from '../plan/plan-snapshot.ts';
import { commitOf, inTrials } from '../tree/run-checks.ts';
import { isChanged } from '../tree/work-tree.ts';
import { checksOf, isHookCheck, isOfPlan, stateOf, type Work } from '../work.ts';

export async function proveTree(
  place: Place,
  work: Work,
  tree: WrittenTree,
  { checks, unproved }: Pick<SeenWork, 'checks' | 'unproved'>,
): Promise<TreeProof | undefined> {
  const { task } = work;
  const base = tree.look.head.commit;
  const isAsked = place.run.config.prove === 'close' && isOfPlan(work);
  if (!isAsked || base === undefined || isSettled(stateOf(place, task), 'unproven')) return undefined;
  const commit = await commitOf(place, tree);
  const turnedGreen = checks?.wasRed === true;
  const tried = await proveCommit(place, { task, commit, base, turnedGreen });
  return judge(place, task, { ran: checks?.ran ?? 0, turnedGreen, unproved, ...tried });
}

function judge(place: Place, task: Task | undefined, seen: Omit<ProofSeen, 'leave'>): TreeProof {
  const leave: Leave = {
    config: (file) => task !== undefined && findLeave(place, task, file) !== undefined,
    redefines: (file) => matchesAny(file, task?.redefines ?? []),
    isRefactoring: task?.refactor === true,
  };
  const { experiments } = seen;
  const missed = experiments ? nameUnproven(experiments) : [];
  return { ...judgeProof({ ...seen, leave }), missed, experiments };
}

type Provable = Readonly<{ task: Task; commit: string; base: string; turnedGreen: boolean }>;

type TriedProof = Pick<ProofSeen, 'experiments' | 'untried'>;

/** Empty if there is nothing to try. */
async function proveCommit(place: Place, { task, commit, base, turnedGreen }: Provable): Promise<TriedProof> {
  // Its own first: they are the first to be red.
  const checks = checksOf(place, readPlanAt(place), task)
    .filter((check) => !check.knownRed && !isHookCheck(check))
    .sort((one, other) => Number(other.scope === 'task') - Number(one.scope === 'task'));
  const range = { base, head: commit };
  const change = await readChange(place.repo, range, { checks, except: [place.plan.name] });
  if (change.length === 0 || checks.length === 0) return {};
  const experiments = await inTrials(place, { commit, checks, task: task.id }, (trials) =>
    experiment(change, trials, { turnedGreen: () => turnedGreen, isRefactoring: task.refactor === true }),
  );
  return experiments
    ? { experiments }
    : { untried: 'no experiments were made: worktree.setup fails in a fresh checkout' };
}

export type Proving = Readonly<{
  /** Returns at once. */
  wake(): void;
  finish(): Promise<void>;
}>;

export function createProving(place: Place): Proving {
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    for (let due = nextDue(place); due && !place.run.signal.aborted; due = nextDue(place))
      await proveClosed(place, due);
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

type Close = ClosedTask['close'];

function nextDue({ run }: Place): Close | undefined {
  return listClosed(run.state().tasks.values()).find(({ task }) => isProofPending(task))?.close;
}

/** Where there is nothing to try, its checks alone say the word. */
async function proveClosed(place: Place, { task: id, oid: commit, pending }: Close): Promise<void> {
  const turnedGreen = pending?.turnedGreen === true;
  const task = readPlanAt(place).tasks.find((one) => one.id === id);
  const tried = await tryExperiments(place, { task, commit, turnedGreen });
  if (place.run.signal.aborted) return;
  const { word, reasons } = judge(place, task, { ran: 1, turnedGreen, unproved: [], ...tried });
  const found = { word, reasons: [...reasons], ...defined({ experiments: tried.experiments }) };
  place.run.emit({ type: 'proof-judged', task: id, ...found });
}

/** That experiments cannot be made is no reason to stop. */
async function tryExperiments(
  place: Place,
  { task, ...closed }: Readonly<{ task: Task | undefined; commit: string; turnedGreen: boolean }>,
): Promise<TriedProof> {
  if (place.run.config.prove === 'off') return {};
  if (task === undefined) return { untried: 'no experiments were made: the task is no longer in the plan' };
  try {
    return await proveCommit(place, { ...closed, task, base: `${closed.commit}^` });
  } catch (error) {
    const text = `No experiments were made on task ${task.id}: ${needFailure(error).message}`;
    place.run.emit({ type: 'noticed', code: 'no-experiments', text });
    return { untried: 'no experiments could be made' };
  }
}

/** *Proven* only where no experiment can take it back. */
export function wordAtClose(
  place: Place,
  work: Work,
  { proof, tree, isJudged }: Readonly<{ proof: ProofWord; tree: string; isJudged: boolean }>,
): Pick<FactOf<'closing'>, 'proof' | 'pending'> {
  const isFinal = place.run.config.prove === 'off' || isJudged || proof === 'unchecked' || !isOfPlan(work);
  return isFinal || !isChanged(place, work, tree)
    ? { proof }
    : { proof: 'passed', pending: { turnedGreen: proof === 'proven' } };
}

/** Tests that `redefines:` names may be fewer. */
export function describeCounts(
  place: Place,
  { task }: Pick<Work, 'task'>,
  { runs = [], tree }: Readonly<{ runs: readonly CheckRun[] | undefined; tree: WrittenTree }>,
): readonly string[] {
  const counted = runs
    .filter(({ check }) => !check.knownRed)
    .map(({ check, result, tests }) => ({ command: place.run.mask(check.command), result, tests }));
  const { redefines = [] } = task;
  const mayLose = redefines.length > 0 && tree.files.some(({ file }) => matchesAny(file, redefines));
  return judgeCounts(counted, countsBefore(place.run.state(), stateOf(place, task)), { mayLose });
}

function countsBefore({ baseline, tasks }: RunState, task: TaskState): readonly FactOf<'check-ended'>[] {
  const others = listClosed(tasks.values()).filter((one) => one.task.id !== task.id);
  return [
    ...baseline,
    ...others.flatMap((one) => one.task.checks.filter(({ when }) => when === 'after')),
    ...task.checks.filter(({ when }) => when === 'before'),
  ];
}
