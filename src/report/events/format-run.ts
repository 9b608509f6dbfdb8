// Formats the course of a run: phases, waits, what a person did, and the end.

import { defined } from '../../defined.ts';
import { lastInstant } from '../../event/run.ts';
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { formatCommand, formatCount, formatList, formatMoment } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { formatExit } from '../text/run-words.ts';
import { formatGround } from './format-ground.ts';
import type { Formats } from './formats.ts';
import type { RenderContext } from './render-context.ts';

export const runFormats = {
  'run-resumed': (fact, _how, context) => [...formatResumed(fact), ...formatOtherGround(fact, context)],
  phase: ({ phase, state }, { verbose }, { state: run }) => {
    if (state === 'started')
      return verbose || !plainPhases.has(phase) ? [line('head', phaseTitle[phase])] : [];
    return phase === 'baseline' ? formatRedBefore(redBeforeOf(run)) : [];
  },
  waiting: (fact) => {
    if (fact.why === 'answer') return formatAwaited(fact);
    return [
      line('warn', `Waiting ${waitReason[fact.why]} until ${formatMoment(fact.until)}: ${fact.text}`),
      line('dim', 'the run then continues by itself; Ctrl-C stops it, and the same command resumes it', 1),
    ];
  },
  waited: (fact, _how, context) =>
    context.answer && fact.how === 'person' ? [] : [line('plain', waitEnd[fact.how])],
  noticed: (fact) => [line('warn', `Note: ${fact.text}`)],
  'run-ended': (fact, { verbose }, { failed }) => formatRunEnd(fact, { verbose, ...defined({ failed }) }),
} satisfies Formats;

/** Red on the untouched tree, and not excused for it. */
function redBeforeOf(run: RunState | undefined, excused: readonly string[] = []): readonly string[] {
  const red = run?.baseline.filter(({ result, knownRed }) => result !== 'green' && !knownRed) ?? [];
  return red.map(({ command }) => command).filter((command) => !excused.includes(command));
}

function formatRedBefore(commands: readonly string[]): readonly Line[] {
  if (commands.length === 0) return [];
  const means =
    'no task closes over a red check: the first one must turn it green, unless the plan marks it (known red)';
  return [
    line('warn', `Red before any work, and ${means}: ${formatList(commands.map(formatCommand), 3)}`, 1),
  ];
}

const phaseTitle = {
  setup: 'Setting up the working tree',
  baseline: 'Baseline: the checks on the untouched tree',
  tasks: 'Tasks',
  'at-end': 'Checks at the end',
  review: 'Review',
  finalize: 'Finalize',
  archive: 'Archive',
  publish: 'Publish',
  plan: 'Planning',
} as const;

const plainPhases: ReadonlySet<keyof typeof phaseTitle> = new Set(['baseline', 'tasks', 'at-end', 'archive']);

const waitReason = {
  limit: 'for the usage limit',
  overload: 'for the agent’s service, which does not answer',
  crash: 'before the crashed agent is started again',
  ci: 'for CI',
} as const;

function formatAwaited({ until, text }: FactOf<'waiting'>): readonly Line[] {
  const till = until >= lastInstant ? '' : ` until ${formatMoment(until)}`;
  return [
    line('warn', `Nothing else can be done: waiting${till} for ${text}`),
    line(
      'dim',
      'answer here (type it and press Enter), or by pawl answer from any terminal; Esc, then q stops the run, which can be resumed',
      1,
    ),
  ];
}

const waitEnd = {
  time: 'The wait is over; continuing',
  person: 'The wait was ended by hand; continuing',
  interrupted: 'The wait was interrupted',
} as const;

function formatResumed(fact: FactOf<'run-resumed'>): readonly Line[] {
  const head =
    fact.after === 'stop' ? 'Continuing where the run stopped' : 'Continuing where the run was cut off';
  const moved = fact.worktree
    ? [line('warn', `its ground was gone; the new one is ${fact.worktree.path}`, 1)]
    : [];
  if (fact.dirt.length === 0) return [line('head', head), ...moved];
  const files = `${formatCount(fact.dirt.length, 'changed file')} in the tree: ${formatList(fact.dirt)}`;
  return [line('head', head), ...moved, line(fact.after === 'crash' ? 'warn' : 'plain', files, 1)];
}

function formatOtherGround({ ground }: FactOf<'run-resumed'>, context: RenderContext): readonly Line[] {
  return ground && context.ground ? formatGround(ground, context.ground) : [];
}

function stateOfEnd({ exit, finished, reasons }: FactOf<'run-ended'>): string {
  if (exit === 0) return finished ? '✓ Run finished' : 'Run stopped as asked, not finished';
  const mark = finished ? '!' : '✗';
  if (exit === 2) return `${mark} Not started`;
  return `${mark} Run ${finished ? 'finished' : 'stopped'}: ${formatExit(exit, reasons)}`;
}

/** `failed`: what was just reported about tasks. */
function formatRunEnd(
  fact: FactOf<'run-ended'>,
  { verbose, failed = [] }: Readonly<{ verbose: boolean; failed?: readonly string[] }>,
): readonly Line[] {
  const good = fact.exit === 0;
  const state = stateOfEnd(fact);
  const reasons = fact.reasons
    .filter((reason) => reason.exit !== 0 || !good || !fact.finished)
    .filter(({ text }) => text !== formatExit(fact.exit) && !failed.includes(text))
    .flatMap(({ text, hint }) => [
      line(good ? 'plain' : 'bad', text, 1),
      ...(hint === undefined || !verbose ? [] : [line('plain', hint, 2)]),
    ]);
  return [line(good ? 'good' : 'bad', `${state} (exit ${fact.exit})`), ...reasons];
}
