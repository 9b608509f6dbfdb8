// A run that another machine carries, in a few lines: how far it was when last carried, by whom, and how to take it up.
import { formatCount, formatMs } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';

/**
 * Where a run stood when last carried, as the plain value of which `pawl status --remote --json` prints a list: who carried
 * it, and when, ISO 8601 in UTC.
 */
export type CarriedStanding = Headline &
  Readonly<{
    machine: string;
    at: string;
  }>;

/** How far a run is, without who works on it. */
export type Headline = Readonly<{
  run: string;
  plan: string;
  title: string;
  branch: string;
  /** `open`: it had not ended. `stopped`: it ended and can continue. */
  state: 'open' | 'stopped' | 'finished';
  tasks: Readonly<{ total: number; closed: number }>;
  task?: Readonly<{ id: string; title: string }>;
  /** What it waits for, in words: a person, a limit. */
  waits?: readonly string[];
  reasons?: readonly string[];
}>;

/** Its lines; `take`: the command that takes it up. */
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
