// A run that another machine carries, in a few lines: how far it was when it was carried last, by whom, and how it is taken up.
import { formatCount, formatMs } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';

/** Where a carried run stood when it was carried last, as the plain value that `pawl status --remote --json` prints a list of. Instants are ISO 8601 in UTC. */
export type CarriedStanding = Readonly<{
  run: string;
  plan: string;
  title: string;
  branch: string;
  /** `open`: it had not ended. `stopped`: it ended and can go on. */
  state: 'open' | 'stopped' | 'finished';
  /** Who carried it last, and when. */
  machine: string;
  at: string;
  tasks: Readonly<{ total: number; closed: number }>;
  /** The task in work. */
  task?: Readonly<{ id: string; title: string }>;
  /** Why it stopped. */
  reasons?: readonly string[];
}>;

/** Its lines; `take`: what takes it up. */
export function formatCarried(
  { run, branch, title, state, machine, at, tasks, task, reasons = [] }: CarriedStanding,
  { nowMs, take }: Readonly<{ nowMs: number; take: string }>,
): readonly Line[] {
  const ago = formatMs(Math.max(0, nowMs - Date.parse(at)));
  const done = `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed, on branch ${branch}`;
  const work = task && state === 'open' ? [labelled('plain', 'task', `${task.id}: ${task.title}`)] : [];
  const why = reasons.map((text, index) => labelled('warn', index === 0 ? 'why' : '', text));
  return [
    line('head', title),
    labelled('plain', 'run', run),
    labelled('plain', 'state', `${state}, carried by ${machine} ${ago} ago`),
    labelled('plain', 'tasks', done),
    ...work,
    ...(state === 'stopped' ? why : []),
    ...(state === 'finished' ? [] : [labelled('dim', 'next', take)]),
  ];
}
