// Folds the tasks of the plan, re-plans, and what follows: fixes, the review, the finalizing, CI.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Changes, changeEach, Entry, type Fold, foldBy } from './changes.ts';
import { foldIntoReview, noReview, withoutStages } from './fold-review.ts';
import { beginAnew, foldIntoTask, grantAttempts, newTask, withRescuesHere } from './fold-task.ts';
import type { RunState, WorksState } from './state.ts';
import type { Replan, TaskState } from './task-state.ts';

export const noWorks: WorksState = { tasks: new Map(), fixes: new Map(), replans: [], review: noReview };

export const foldWorks: Fold<RunState, WorksState> = (run, fact) => ({
  ...foldIntoWork(run, fact),
  ...foldRow(run, fact),
  ...(beginsReviewAnew(run, fact)
    ? { fixes: new Map(), review: withoutStages(run.review), ci: undefined }
    : { review: foldIntoReview(run.review, fact), ...(fact.type === 'ci' && { ci: fact }) }),
});

/** Not everything is reviewed and finalized any more: a task of the plan begins, or is open again. */
export function beginsReviewAnew({ tasks, review, fixes }: RunState, fact: Fact): boolean {
  const isSo = fact.type === 'task-started' || (fact.type === 'task-reopened' && fact.tree !== undefined);
  return isSo && tasks.has(fact.task) && (review.stages.size > 0 || fixes.size > 0);
}

function foldIntoWork({ tasks, fixes }: RunState, fact: Stamped<Fact>): Changes<WorksState> {
  const id = 'task' in fact ? fact.task : undefined;
  if (id === undefined) return {};
  const field = tasks.has(id) ? 'tasks' : 'fixes';
  const known = (tasks.get(id) ?? fixes.get(id)) as TaskState | undefined;
  const next = known && foldIntoTask(known, fact);
  return next === undefined || next === known ? {} : { [field]: new Entry(id, next) };
}

const foldRow = foldBy<RunState, WorksState>({
  'plan-read': ({ tasks }, plan) => ({
    tasks: new Map(
      plan.tasks.map(({ id, title }) => {
        const known = tasks.get(id);
        return [id, known ? { ...known, title } : newTask(id, title)];
      }),
    ),
  }),
  'work-planned': ({ tasks }, { task: id, title, fix }) => {
    return tasks.has(id) ? {} : { fixes: new Entry(id, { ...newTask(id, title), ...defined({ fix }) }) };
  },
  'run-resumed': (run, { after }) => (after === 'stop' ? eachWork(run, grantAttempts) : {}),
  'carry-taken-up': (run, fact) => eachWork(run, (task) => withRescuesHere(task, fact)),
  'commits-moved': ({ tasks }, { moved }) => {
    const at = new Map(moved.map(({ task, to }) => [task, to]));
    const move = (task: TaskState): TaskState => {
      const { standing } = task;
      const oid = at.get(task.id);
      if (standing.is !== 'closed' || oid === undefined) return task;
      return { ...task, standing: { ...standing, fact: { ...standing.fact, oid } } };
    };
    return { tasks: changeEach(tasks, move) };
  },
  'replan-started': ({ replans, tasks }, started) => ({
    replans: [...replans, { started, ...defined({ tree: tasks.get(started.task)?.lastRound?.tree }) }],
  }),
  'replan-taking': (run, taking) => ({ replans: withReplan(run, taking.replan, { taking }) }),
  'replan-ended': (run, ended) => ({
    replans: withReplan(run, ended.replan, { ended }),
    ...(ended.result === 'taken' && { tasks: tasksAfterReplan(run, ended) }),
  }),
});

function eachWork({ tasks, fixes }: RunState, change: (task: TaskState) => TaskState): Changes<WorksState> {
  return { tasks: changeEach(tasks, change), fixes: changeEach(fixes, change) };
}

function withReplan({ replans }: RunState, number: number, change: Partial<Replan>): readonly Replan[] {
  return replans.map((one) => (one.started.replan === number ? { ...one, ...change } : one));
}

/** The tree is the last commit's: every begun task begins again, and those the re-plan is about get new attempts. */
function tasksAfterReplan({ replans, tasks }: RunState, ended: FactOf<'replan-ended'>): RunState['tasks'] {
  const replan = replans.find(({ started }) => started.replan === ended.replan);
  const meant = new Set([replan?.started.task, ...(replan?.taking?.changed ?? [])]);
  return changeEach(tasks, (task) => {
    const begun = beginAnew(task, ended.rescue);
    return meant.has(task.id) ? grantAttempts(begun) : begun;
  });
}
