// The part of a dry run for `--jobs`: how many tasks at once a plan allows and when, and how much sooner it would be done.
import { estimateTasks, type TaskTook } from '../journal/estimate.ts';
import type { Plan } from '../plan/plan.ts';
import { countSteps } from '../plan/width/choose-tasks.ts';
import { explainNoWidth } from '../plan/width/no-width.ts';
import { type Schedule, type ScheduleOptions, type Stretch, scheduleTasks } from '../plan/width/schedule.ts';
import { formatAbout } from '../report/stats/format-estimate.ts';
import { formatCount, formatList, formatTasks } from '../report/text/figure.ts';

/** How long earlier tasks of the repository took, for an estimate in time. */
type WidthRequest = ScheduleOptions & Readonly<{ took: readonly TaskTook[] }>;

/** Empty if one task at a time is requested. */
export function formatWidth(plan: Plan, { took, ...options }: WidthRequest): readonly string[] {
  if (options.jobs < 2) return [];
  const schedule = scheduleTasks(plan, options);
  if (schedule.widest < 2)
    return [`One task at a time: ${explainNoWidth(plan, options) ?? 'no other is open, or asked for'}.`];
  return [
    `Side by side with ${options.jobs} jobs, if all steps take equally long:`,
    ...formatStretches(schedule.stretches),
    `${formatSpeedUp(schedule)}${formatTimes(schedule, took)}`,
    ...formatLongestWay(schedule, plan.tasks, options.lengthOf),
    ...formatOtherJobs(schedule, scheduleTasks(plan, { ...options, jobs: plan.tasks.length }), options.jobs),
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

function formatSpeedUp({ work, length }: Schedule): string {
  return `That is ${formatCount(work, 'step')} in the time of ${length}: at most ${formatFactor(work / length)} as fast as one at a time`;
}

function formatFactor(factor: number): string {
  return `${factor.toFixed(1)} times`;
}

function formatTimes({ stretches, work, length }: Schedule, took: readonly TaskTook[]): string {
  const count = new Set(stretches.flatMap(({ tasks }) => tasks)).size;
  const estimate = estimateTasks(count, took);
  if (!estimate) return '.';
  const { ms, from } = estimate;
  return `; about ${formatAbout((ms.low * length) / work)} instead of ${formatAbout(ms.low)}, going by ${formatCount(from.tasks, 'task')} of ${formatCount(from.runs, 'run')} here.`;
}

/** What keeps everything from being done sooner; empty if no task is longer than others, or waits. */
function formatLongestWay(
  { longestWay, wayLength, stretches }: Schedule,
  tasks: Plan['tasks'],
  lengthOf = countSteps,
): readonly string[] {
  const steps = formatCount(wayLength, 'step');
  if (longestWay.length > 1)
    return [`The longest chain: ${formatTasks(longestWay, 12)}, one after the other (${steps}).`];
  const open = new Set(stretches.flatMap((stretch) => stretch.tasks));
  const longest = tasks.filter((task) => open.has(task.id) && lengthOf(task) === wayLength);
  if (longest.length === open.size) return [];
  const each = longest.length > 1 ? ' each' : '';
  return [`The longest: ${formatTasks(longest.map(({ id }) => id))} (${steps}${each}).`];
}

function formatOtherJobs(schedule: Schedule, widest: Schedule, jobs: number): readonly string[] {
  if (widest.length < schedule.length)
    return [`With ${widest.widest} jobs: at most ${formatFactor(widest.work / widest.length)}.`];
  return schedule.widest < jobs ? [`More than ${schedule.widest} jobs do not help.`] : [];
}
