// Formats several plans of one command: what a run set aside, which plan is next, and the closing list.
import { formatCount, formatList, shortOid } from '../text/figure.ts';
import { emptyLine, type Line, line, type Tone } from '../text/line.ts';
import { formatExit } from './format-run.ts';
import type { Formats } from './formats.ts';

/** The lines of each fact about a run in a queue. */
export const queueFormats = {
  queued: (fact, options) =>
    options.verbose ? [line('dim', `Queue of ${formatList(fact.plans)}, from ${fact.base}`)] : [],
  'work-set-aside': (fact) => {
    if (fact.task !== undefined)
      return [
        line('warn', `The unfinished work of task ${fact.task} was set aside (${shortOid(fact.rescue)})`),
        line('dim', 'the next attempt at that task starts from it', 1),
      ];
    if (fact.fenced)
      return [
        line('warn', 'Its unfinished work here was taken out of the tree, and is kept', 1),
        line('dim', `\`pawl rescue restore ${shortOid(fact.rescue)}\` brings it back`, 1),
      ];
    return [
      line(
        'warn',
        `Uncommitted work was set aside (${shortOid(fact.rescue)}), so that the next plan starts on a clean tree`,
      ),
      line('dim', 'this run gets it back when it is started again', 1),
    ];
  },
  'work-brought-back': (fact) => [
    line('plain', `The work that was set aside (${shortOid(fact.rescue)}) is back in the tree`),
    ...(fact.left.length === 0
      ? []
      : [line('warn', `not restored, because they were changed meanwhile: ${formatList(fact.left)}`, 1)]),
  ],
} satisfies Formats;

/** What became of one plan of a queue. */
export type PlanEnd = Readonly<{
  plan: string;
  branch?: string;
  /** Absent if it was not begun, or not to its end. */
  exit?: number;
  finished?: boolean;
  /** It had been finished by an earlier start of the queue. */
  skipped?: boolean;
  /** Why it could not be begun. */
  refusal?: string;
}>;

/** Which plan begins, before its own header. */
export function formatNextPlan(
  plan: string,
  at: Readonly<{ number: number; of: number; base: string; resumes: boolean }>,
): readonly Line[] {
  const where = at.resumes ? 'continuing on its own branch' : `starting from ${at.base}`;
  const gap = at.number === 1 ? [] : [emptyLine];
  return [...gap, line('head', `Plan ${at.number} of ${at.of}: ${plan}, ${where}`)];
}

/** A line for each plan at the end, and how to continue with the rest. */
export function formatQueueEnd(ends: readonly PlanEnd[]): readonly Line[] {
  const done = ends.filter(({ finished, skipped }) => finished || skipped).length;
  const left = ends.filter((end) => !end.finished && !end.skipped);
  const tone = left.length === 0 ? 'good' : 'warn';
  const width = Math.max(...ends.map(({ plan }) => plan.length));
  return [
    emptyLine,
    line(tone, `Queue: ${done} of ${formatCount(ends.length, 'plan')} finished`),
    ...ends.map((end) => line(toneOf(end), `${end.plan.padEnd(width)}  ${formatPlanEnd(end)}`, 1)),
    ...(left.length === 0 ? [] : [line('dim', 'the same command continues with the plans that are left', 1)]),
  ];
}

function formatPlanEnd({ branch, exit, finished, skipped, refusal }: PlanEnd): string {
  const on = branch === undefined ? '' : `, branch ${branch}`;
  if (skipped) return `finished earlier${on}`;
  if (refusal !== undefined) return `not started: ${refusal}`;
  if (exit === undefined) return 'not started';
  return `${finished ? formatExit(exit) : `not finished: ${exit === 0 ? 'tasks are left' : formatExit(exit)} (exit ${exit})`}${on}`;
}

function toneOf({ exit, finished, skipped, refusal }: PlanEnd): Tone {
  if (skipped) return 'dim';
  if (refusal !== undefined) return 'bad';
  if (exit === undefined) return 'warn';
  return finished && exit === 0 ? 'good' : finished || exit === 0 ? 'warn' : 'bad';
}
