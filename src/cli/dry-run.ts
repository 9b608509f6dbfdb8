// `pawl run --dry-run`: lists what a run would do, in order, and changes nothing.

import { refuseClosedThere } from '../phase/open/closed-there.ts';
import { choosePlanBranch, findOpenFor } from '../phase/open/may-open.ts';
import { dependsOf, isClosed, isRequired, type Plan, type Task, untrackedBoxes } from '../plan/plan.ts';
import { withoutManualMark } from '../plan/steps.ts';
import { explainNoWidth } from '../plan/width/lint-width.ts';
import { type ScheduleOptions, type Stretch, scheduleTasks } from '../plan/width/schedule.ts';
import { waitsOf } from '../plan/width/waits.ts';
import { formatCount, formatList, formatTasks } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, printLines } from '../start/context.ts';
import { isForSeveral } from '../start/inspect-plan.ts';
import type { RunFlags } from '../start/run-options.ts';
import type { RunPlan } from '../start/run-plan.ts';
import { findAloneFor } from '../work/must-be-alone.ts';

export async function describeRun(
  context: CliContext,
  { request, plan, needsConsent }: RunPlan & Required<Pick<RunPlan, 'plan'>>,
  options: RunFlags,
): Promise<void> {
  const { config } = request.base;
  const open = findOpenFor(request);
  const isApart = options.worktree || (!open && (await isForSeveral(context, request.planFile, options)));
  const choice = choosePlanBranch(request.workplace, {
    commonDir: request.base.repo.home,
    planFile: request.planFile,
    branch: config.branch,
    ownBeside: isApart ? new Set() : undefined,
  });
  if (choice instanceof Error) throw choice;
  if (!open) await refuseClosedThere(request.base.repo, request, choice);
  const checks = plan.checks.length > 0 ? plan.checks.map((check) => check.command) : config.checks;
  const meant = findMeant(plan, request.options);
  // Side by side the order comes from the plan's marks; one by one from the document.
  const sideBySide = config.jobs > 1 ? waitsOf(plan) : undefined;
  const waits = (task: Task) => {
    const needed = new Set(sideBySide?.get(task.id) ?? dependsOf(plan, task));
    return plan.tasks.filter(({ id }) => needed.has(id)).map(({ id }) => id);
  };
  const lines = [
    `Plan: ${plan.title}`,
    `Branch: ${choice.branch}${choice.create ? formatNew(request.workplace) : ''}`,
    ...(needsConsent
      ? ['Consent: not given yet; the run asks for it first, and `pawl trust` shows for what.']
      : []),
    ...(isApart ? ['In a ground of its own.'] : []),
    `Checks after each task: ${checks.length > 0 ? checks.join('; ') : 'none in the plan or the settings'}`,
    ...plan.tasks.flatMap((task) => formatTask(task, meant.has(task.id), waits(task))),
    ...untrackedBoxes(plan).map(({ text, line }) => `Not tracked by any task: ${text} (line ${line})`),
    ...formatWidth(fromNamed(plan, request.options.from), {
      jobs: config.jobs,
      excluded: new Set(plan.tasks.flatMap(({ id }) => (meant.has(id) ? [] : [id]))),
      aloneFor: findAloneFor(request.base.repo.root, plan, config),
    }),
    `${meant.size} of ${formatCount(plan.tasks.length, 'task')} would be worked on. Nothing was touched.`,
  ];
  printLines(
    context,
    lines.map((text) => line('plain', text)),
  );
}

/** From another branch than the default one, which needs no word. */
function formatNew({ branch, defaultBranch }: RunPlan['request']['workplace']): string {
  return branch === undefined || branch === defaultBranch?.name ? ' (new)' : ` (new, at ${branch})`;
}

function fromNamed(plan: Plan, from: string | undefined): Plan {
  const first = plan.tasks.findIndex(({ id }) => id === from);
  return { ...plan, tasks: plan.tasks.slice(Math.max(0, first)) };
}

/** Ids of the open tasks that a run with these options would work on, as long as none fails. */
function findMeant(
  plan: Plan,
  { task: only, from, maxTasks }: RunPlan['request']['options'],
): ReadonlySet<string> {
  const open = fromNamed(plan, from).tasks.filter(
    (task) => !isClosed(task) && (only === undefined || task.id === only),
  );
  return new Set(open.slice(0, maxTasks).map(({ id }) => id));
}

/** A task whose steps are all for a person is closed to pawl, but not done. */
function stateOf(task: Task, isMeant: boolean): string {
  if (task.steps.every((step) => step.manual) && task.steps.some((step) => !step.ticked)) return 'you ';
  return isClosed(task) ? 'done' : isMeant ? 'open' : 'left';
}

function formatTask(task: Task, isMeant: boolean, waits: readonly string[]): string[] {
  const steps = task.steps.filter((step) => isRequired(step) && !step.ticked).length;
  const manual = task.steps.filter((step) => step.manual && !step.ticked);
  return [
    `  ${stateOf(task, isMeant)}  Task ${task.id}: ${task.title}`,
    ...(isClosed(task)
      ? []
      : [
          `        ${formatCount(steps, 'step')}${waits.length > 0 ? `, after ${formatTasks(waits, 12)}` : ''}`,
        ]),
    ...task.checks.map((check) => `        check: ${check.command}`),
    ...manual.map((step) => `        for a person: ${withoutManualMark(step.text)}`),
  ];
}

/** Empty if one task at a time is requested. */
export function formatWidth(plan: Plan, options: ScheduleOptions): readonly string[] {
  if (options.jobs < 2) return [];
  const { stretches, work, length, widest } = scheduleTasks(plan, options);
  if (widest < 2)
    return [`One task at a time: ${explainNoWidth(plan, options) ?? 'no other is open, or asked for'}.`];
  return [
    `Side by side with ${options.jobs} jobs, if all steps take equally long:`,
    ...formatStretches(stretches),
    `That is ${formatCount(work, 'step')} in the time of ${length}: at most ${(work / length).toFixed(1)} times as fast as one at a time.`,
  ];
}

/** Adjacent stretches with as many tasks at once share a line. */
function formatStretches(stretches: readonly Stretch[]): readonly string[] {
  const rows: { from: number; to: number; width: number; tasks: readonly string[] }[] = [];
  for (const { from, to, tasks } of stretches) {
    const last = rows.at(-1);
    if (last?.width === tasks.length) {
      last.to = to;
      last.tasks = [...new Set([...last.tasks, ...tasks])];
    } else rows.push({ from, to, width: tasks.length, tasks });
  }
  const spans = rows.map(({ from, to }) => `steps ${from + 1}–${to}`.replace(/^steps (\d+)–\1$/, 'step $1'));
  const columns = Math.max(...spans.map((span) => span.length));
  return rows.map(({ width, tasks }, at) => {
    const names = `${tasks.length === 1 ? 'task' : 'tasks'} ${formatList(tasks, 12)}`;
    return `  ${(spans[at] ?? '').padEnd(columns)}  ${width === 1 ? 'one at a time' : `${width} at once`}: ${names}`;
  });
}
