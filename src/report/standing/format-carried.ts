// A run that another machine carries, in a few lines: how far it was when it was last carried, by whom, and how to take it
// up.
import { formatWish } from '../events/format-carry.ts';
import { formatCount, formatMs } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';

/** Where a carried run stood when it was carried last, as the plain value that `pawl status --remote --json` prints a list of: who carried it last, and when, ISO 8601 in UTC. */
export type CarriedStanding = Headline &
  Readonly<{
    machine: string;
    at: string;
    /** What was asked of it from other machines, in order; without an answer it was not taken yet. */
    requests: readonly Readonly<{
      wish: string;
      by: string;
      at: string;
      answer?: Readonly<{ ok: boolean; text: string }>;
    }>[];
  }>;

/** How far a run is, without who works on it. */
export type Headline = Readonly<{
  run: string;
  plan: string;
  title: string;
  branch: string;
  /** `open`: it had not ended. `stopped`: it ended and can go on. */
  state: 'open' | 'stopped' | 'finished';
  tasks: Readonly<{ total: number; closed: number }>;
  /** The task in work. */
  task?: Readonly<{ id: string; title: string }>;
  /** What it waits for, in words: a person, a limit. */
  waits?: readonly string[];
  /** Why it stopped. */
  reasons?: readonly string[];
}>;

/** So many answers are shown, the last ones. */
const mostAnswers = 3;

/** Its lines; `take`: what takes it up. */
export function formatCarried(
  {
    run,
    branch,
    title,
    state,
    machine,
    at,
    tasks,
    task,
    waits = [],
    reasons = [],
    requests,
  }: CarriedStanding,
  { nowMs, take }: Readonly<{ nowMs: number; take: string }>,
): readonly Line[] {
  const since = (instant: string) => `${formatMs(Math.max(0, nowMs - Date.parse(instant)))} ago`;
  const done = `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed, on branch ${branch}`;
  const work = task && state === 'open' ? [labelled('plain', 'task', `${task.id}: ${task.title}`)] : [];
  const why = reasons.map((text, index) => labelled('warn', index === 0 ? 'why' : '', text));
  const answered = requests.filter(({ answer }) => answer);
  const open = requests.filter(({ answer }) => !answer);
  return [
    line('head', title),
    labelled('plain', 'run', run),
    labelled('plain', 'state', `${state}, carried by ${machine} ${since(at)}`),
    labelled('plain', 'tasks', done),
    ...work,
    ...waits.map((text, index) => labelled('warn', index === 0 ? 'waits' : '', text)),
    ...(state === 'stopped' ? why : []),
    ...[...answered.slice(-mostAnswers), ...open].map(({ wish, by, at: asked, answer }, index) =>
      labelled(
        answer?.ok === false ? 'warn' : 'plain',
        index === 0 ? 'asked' : '',
        `${formatWish(wish)}, by ${by} ${since(asked)}: ${formatAnswer(answer, state)}`,
      ),
    ),
    ...(state === 'finished' ? [] : [labelled('dim', state === 'open' ? 'here' : 'next', take)]),
  ];
}

function formatAnswer(
  answer: CarriedStanding['requests'][number]['answer'],
  state: CarriedStanding['state'],
): string {
  if (answer) return answer.ok ? `taken. ${answer.text}` : `refused, because ${answer.text}`;
  if (state === 'finished') return 'too late, the run had finished';
  return state === 'stopped' ? 'applies when the run continues' : 'not taken yet';
}
