// Formats a run that another machine carries.
import { defined } from '../../defined.ts';
import { formatCount, formatMoment, formatMs } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import type { RunView, TaskCounts } from '../view/run-view.ts';

/** `pawl status --remote --json` prints a list of these; `at`: ISO 8601 in UTC. */
export type CarriedStanding = Headline &
  Readonly<{
    machine: string;
    at: string;
  }>;

/** How far a run is, without who works on it. */
export type Headline = Pick<RunView, 'run' | 'plan' | 'title' | 'branch' | 'reasons'> &
  Readonly<{
    /** `open`: it had not ended. `stopped`: it ended and can continue. */
    state: 'open' | 'stopped' | 'finished';
    tasks: Pick<TaskCounts, 'total' | 'closed'>;
    task?: Readonly<{ id: string; title: string }>;
    /** In words: a person, a limit. */
    waits?: readonly string[];
  }>;

/** `finished`: according to whoever carried it, by default its journal. */
export function headlineOf(view: RunView, finished = view.state === 'finished'): Headline {
  const { run, plan, title, branch, tasks, reasons, inWork, endedAt } = view;
  const task = inWork.at(-1);
  const waits = finished ? [] : waitsOf(view);
  return {
    run,
    plan,
    title,
    branch,
    state: finished ? 'finished' : endedAt === undefined ? 'open' : 'stopped',
    tasks: { total: tasks.total, closed: tasks.closed },
    ...defined({
      waits: waits.length === 0 ? undefined : waits,
      task: task && { id: task.id, title: task.title },
      reasons,
    }),
  };
}

function waitsOf({
  questions,
  endedAt,
  pausing,
  state,
  waitingFor,
  waitingUntil,
}: RunView): readonly string[] {
  const asked = questions.map(({ task, question }) => `task ${task} asks: ${question}`);
  if (endedAt !== undefined) return asked;
  const until = waitingUntil ? `, until ${formatMoment(Date.parse(waitingUntil))}` : '';
  return [
    ...asked,
    ...(pausing ? ['to pause after this session'] : state === 'paused' ? ['paused'] : []),
    ...(waitingFor === undefined || asked.length > 0 ? [] : [`${waitingFor}${until}`]),
  ];
}

export function formatCarried(
  { run, branch, title, state, machine, at, tasks, task, waits = [], reasons = [] }: CarriedStanding,
  { nowMs, take }: Readonly<{ nowMs: number; take: string }>,
): readonly Line[] {
  const since = (instant: string) => `${formatMs(Math.max(0, nowMs - Date.parse(instant)))} ago`;
  const done = `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed, on branch ${branch}`;
  const work = task && state === 'open' ? [labelled('plain', 'task', `${task.id}: ${task.title}`)] : [];
  const why = reasons.map((text, index) => labelled('warn', index === 0 ? 'why' : '', text));
  return [
    line('head', title),
    labelled('plain', 'run', run),
    labelled('plain', 'state', `${state}, carried by ${machine} ${since(at)}`),
    labelled('plain', 'tasks', done),
    ...work,
    ...waits.map((text, index) => labelled('warn', index === 0 ? 'waits' : '', text)),
    ...(state === 'stopped' ? why : []),
    ...(state === 'finished' ? [] : [labelled('dim', state === 'open' ? 'here' : 'next', take)]),
  ];
}
