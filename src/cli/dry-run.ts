// `pawl run --dry-run`: lists what a run would do, and changes nothing.
import { chooseBranchFor, refuseClosedThere } from '../phase/open/may-open.ts';
import { isClosed, isRequired, type Plan, type Task, waitsOf } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { widestOf } from '../plan/width/choose-tasks.ts';
import { explainNoWidth } from '../plan/width/lint-width.ts';
import { formatCommand, formatCount, formatTasks } from '../report/text/figure.ts';
import { type CliContext, printLines } from '../start/context.ts';
import { listUntracked } from '../start/inspect-plan.ts';
import type { RunFlags } from '../start/run-options.ts';
import type { PreparedRun } from '../start/run-plan.ts';
import { judgeWidth } from '../work/must-be-alone.ts';

export async function describeRun(
  context: CliContext,
  { runPlan, base }: PreparedRun,
  options: RunFlags,
): Promise<void> {
  const { document: plan, about, open, workplace } = runPlan;
  if (!plan) return;
  const { config, repo } = base;
  const isApart = options.worktree || (!open && about.ground.jobs !== undefined);
  const own = open && { branch: open.started.branch, create: false };
  const choice = own ?? chooseBranchFor({ ...runPlan, base }, { isApart });
  if (!open) await refuseClosedThere(repo, runPlan, choice);
  const planned = plan.checks.map(
    ({ command, atEnd }) => `${formatCommand(command)}${atEnd ? ' (at end)' : ''}`,
  );
  const checks = planned.length > 0 ? planned : config.checks;
  const meant = findMeant(plan, options);
  const waits = waitsOf(plan);
  const { branch, defaultBranch } = workplace;
  const at = branch === undefined || branch === defaultBranch ? '' : `, at ${branch}`;
  const lines = [
    `Plan: ${plan.title}`,
    `Branch: ${choice.branch}${choice.create ? ` (new${at})` : ''}`,
    ...(about.ground.trusted
      ? []
      : ['Consent: not given yet; the run asks for it first, and `pawl trust` shows for what.']),
    ...(isApart ? ['In a ground of its own.'] : []),
    `Checks after each task: ${checks.length > 0 ? checks.join('; ') : 'none in the plan or the settings'}`,
    ...plan.tasks.flatMap((task) => formatTask(task, meant.has(task.id), waits.get(task.id) ?? [])),
    ...listUntracked(plan),
    ...formatWidth(fromNamed(plan, options.from), {
      ...judgeWidth(repo.root, plan, config),
      excluded: new Set(plan.tasks.flatMap(({ id }) => (meant.has(id) ? [] : [id]))),
    }),
    `${meant.size} of ${formatCount(plan.tasks.length, 'task')} would be worked on. Nothing was touched.`,
  ];
  printLines(context, lines);
}

function fromNamed(plan: Plan, from: string | undefined): Plan {
  const first = plan.tasks.findIndex(({ id }) => id === from);
  return { ...plan, tasks: plan.tasks.slice(Math.max(0, first)) };
}

/** Ids of the open tasks that a run would work on, as long as none fails. */
function findMeant(plan: Plan, { task: only, from, maxTasks }: RunFlags): ReadonlySet<string> {
  const open = fromNamed(plan, from).tasks.filter(
    (task) => !isClosed(task) && (only === undefined || task.id === only),
  );
  return new Set(open.slice(0, maxTasks).map(({ id }) => id));
}

/** A task with steps only for a person is closed to pawl, but not done. */
function stateOf(task: Task, isMeant: boolean): string {
  if (task.steps.every((step) => step.manual) && task.steps.some((step) => !step.ticked)) return 'you ';
  return isClosed(task) ? 'done' : isMeant ? 'open' : 'left';
}

function formatTask(task: Task, isMeant: boolean, waits: readonly string[]): string[] {
  const steps = task.steps.filter((step) => isRequired(step) && !step.ticked).length;
  const manual = task.steps.filter((step) => step.manual && !step.ticked);
  const about = [
    ...(steps > 0 ? [formatCount(steps, 'open step')] : []),
    ...(waits.length > 0 ? [`after ${formatTasks(waits, 12)}`] : []),
  ];
  return [
    `  ${stateOf(task, isMeant)}  Task ${task.id}: ${task.title}`,
    ...(isClosed(task) || about.length === 0 ? [] : [`        ${about.join(', ')}`]),
    ...task.checks.map((check) => `        check: ${formatCommand(check.command)}`),
    ...manual.map((step) => `        for a person: ${withoutManualMark(step.text)}`),
  ];
}

/** Empty for one task at a time. */
export function formatWidth(plan: Plan, options: Parameters<typeof widestOf>[1]): readonly string[] {
  if (options.jobs < 2) return [];
  const widest = widestOf(plan, options);
  if (widest > 1) return [`At most ${widest} tasks at once.`];
  return [`One task at a time: ${explainNoWidth(plan, options) ?? 'no other is open, or asked for'}.`];
}
