// Formats what a run is and its course, here and outside of this machine: its request, what CI says of its commits, and
// what is lost, kept or put back when a carried run changes machines. The header of a terminal has more.
import { type GroundFields, lastInstant } from '../../event/run.ts';
import { waits } from '../../event/waits.ts';
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import {
  formatCommand,
  formatCount,
  formatList,
  formatMoment,
  formatReached,
  shortOid,
} from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { formatExit, phaseTitle } from '../text/run-words.ts';
import { type Formats, nameRunFile, type RenderContext } from './render-context.ts';

export const runFormats = {
  'run-started': ({ title, branch, ground }) => [
    line('head', title),
    line('plain', `${branch === '' ? 'no branch' : `branch ${branch}`}, ${formatAgent(ground)}`, 1),
  ],
  'plan-edit-set-aside': ({ number, detail, file }, context) => [
    line('warn', `Plan edit ${number} was set aside and the plan restored: ${detail}`),
    line(
      'dim',
      `it is in ${nameRunFile(context, file)}; to take it, copy it over the plan while the run is paused or stopped`,
      1,
    ),
  ],
  'plan-archived': ({ state, to }) => (state === 'done' ? [line('plain', `Plan moved to ${to}`)] : []),
  'budget-reached': (fact) => line('warn', formatReached(fact)),
  'run-resumed': formatResumed,
  phase: ({ phase, state }, { verbose, state: run }) => {
    if (state === 'started')
      return verbose || !plainPhases.has(phase) ? [line('head', phaseTitle[phase])] : [];
    return phase === 'baseline' ? formatRedBefore(run) : [];
  },
  waiting: formatWaiting,
  // A person's own command was shown.
  waited: ({ how }) => (how === 'person' ? [] : [line('plain', waitEnd[how])]),
  'run-ended': formatRunEnd,
} satisfies Formats;

export function formatAgent({ agent, model, jobs, sandbox }: GroundFields): string {
  return [
    model === undefined ? agent : `${agent} ${model}`,
    ...(sandbox === undefined ? [] : [sandbox === 'docker' ? 'in docker' : 'in bubblewrap']),
    ...(jobs === undefined ? [] : [`${jobs} tasks at once`]),
  ].join(', ');
}

function formatRedBefore(run: RunState | undefined): readonly Line[] {
  const red = run?.baseline.filter(({ result, knownRed }) => result !== 'green' && !knownRed) ?? [];
  if (red.length === 0) return [];
  const means =
    'no task closes over a red check: the first one must turn it green, unless the plan marks it (known red)';
  const names = formatList(
    red.map(({ command }) => formatCommand(command)),
    3,
  );
  return [line('warn', `Red before any work, and ${means}: ${names}`, 1)];
}

const plainPhases = new Set<keyof typeof phaseTitle>(['baseline', 'tasks', 'at-end', 'review', 'archive']);

function formatWaiting({ why, until, text }: FactOf<'waiting'>): readonly Line[] {
  const till = until >= lastInstant ? '' : ` until ${formatMoment(until)}`;
  const how =
    why === 'answer'
      ? 'answer here (type it and press Enter), or by pawl answer from any terminal; Esc, then q stops the run, which can be resumed'
      : 'the run then continues by itself; Ctrl-C stops it, and the same command resumes it';
  return [line('warn', `Waiting ${waits[why].reason}${till}: ${text}`), line('dim', how, 1)];
}

const waitEnd = {
  time: 'The wait is over; continuing',
  interrupted: 'The wait was interrupted',
} as const;

/** Also by whom, if that is another than before. */
function formatResumed(
  { after, worktree, dirt, ground }: FactOf<'run-resumed'>,
  { state }: RenderContext,
): readonly Line[] {
  const agent = formatAgent(ground);
  const isOther = state !== undefined && agent !== formatAgent(state.started.ground);
  const files = `${formatCount(dirt.length, 'changed file')} in the tree: ${formatList(dirt)}`;
  return [
    line('head', `Continuing where the run ${after === 'stop' ? 'stopped' : 'was cut off'}`),
    ...(worktree ? [line('warn', `its ground was gone; the new one is ${worktree.path}`, 1)] : []),
    ...(isOther ? [line('plain', `now with ${agent}`, 1)] : []),
    ...(dirt.length === 0 ? [] : [line(after === 'crash' ? 'warn' : 'plain', files, 1)]),
  ];
}

/** Tasks that failed were told. */
function formatRunEnd(
  { exit, finished, reasons }: FactOf<'run-ended'>,
  { verbose, state }: RenderContext,
): readonly Line[] {
  const tone = exit === 0 ? 'good' : 'bad';
  const failed = [...(state?.tasks.values() ?? [])].map(
    ({ id, standing }) => standing.is === 'failed' && `task ${id} failed: ${standing.reason}`,
  );
  const told = reasons
    .filter((reason) => reason.exit !== 0 || exit !== 0 || !finished)
    .filter(({ text }) => text !== formatExit(exit) && !failed.includes(text))
    .flatMap(({ text, hint }) => [
      line(exit === 0 ? 'plain' : 'bad', text, 1),
      ...(hint === undefined || !verbose ? [] : [line('plain', hint, 2)]),
    ]);
  return [line(tone, `${formatEnd({ exit, finished, reasons })} (exit ${exit})`), ...told];
}

function formatEnd({ exit, finished, reasons }: Omit<FactOf<'run-ended'>, 'type'>): string {
  if (exit === 0) return finished ? '✓ Run finished' : 'Run stopped as asked, not finished';
  if (exit === 2 && !finished) return '✗ Not started';
  return `${finished ? '! Run finished' : '✗ Run stopped'}: ${formatExit(exit, reasons)}`;
}

export const forgeFormats = {
  request: ({ state, noun, url, head, target }) =>
    line(
      'good',
      `The ${noun} into ${target}, at ${shortOid(head)}${state === 'open' ? '' : ', is no draft any more'}: ${url}`,
    ),
  ci: ({ state, head, text, jobs }) => [
    line(
      state === 'green' ? 'good' : state === 'red' ? 'bad' : 'warn',
      `CI ${words[state]} ${shortOid(head)}: ${text}`,
    ),
    ...jobs.slice(0, 6).flatMap(({ name, url }) => (url === '' ? [] : [line('dim', `${name}: ${url}`, 1)])),
  ],
  comment: ({ state, author, file, line: at = 0, text, answer }) => [
    state === 'ignored'
      ? line('warn', `${author} may not write there, so this is not acted on:`)
      : line('good', `${author} is answered: ${answer}`),
    line('dim', `${file === undefined ? '' : `${file}${at > 0 ? `:${at}` : ''}: `}${text}`, 1),
  ],
} satisfies Formats;

const words = {
  fixing: 'is red, and a session is to mend it, on',
  green: 'is green on',
  flaky: 'is green, but flaky, on',
  red: 'is red on',
  none: 'did not begin for',
  'gave-up': 'was not awaited to its end for',
} as const;

export const carryFormats = {
  'carry-failed': formatFailed,
  'carry-taken-up': ({ from, kept, gone }) => [
    line('head', `Taken up from ${from.host}, which last carried it on ${formatMoment(Date.parse(from.at))}`),
    ...formatKept(kept, 'Commits that were never carried from here are kept'),
    ...(gone.length === 0
      ? []
      : [line('warn', `Unfinished work of tasks that were set aside stayed on ${from.host}`, 1)]),
  ],
  'carry-fenced': ({ by, kept }) => [
    line('bad', `${by.host} has taken this run up: it ends here`),
    ...formatKept(kept, `Commits that ${by.host} does not have are kept`),
  ],
  'carry-work-aside': ({ rescue }) => [
    line('warn', 'Its unfinished work here was taken out of the tree, and is kept', 1),
    line('dim', `\`pawl rescue restore ${shortOid(rescue)}\` brings it back`, 1),
  ],
} satisfies Formats;

function formatFailed({ what, reason }: FactOf<'carry-failed'>): readonly Line[] {
  return what === 'all'
    ? [
        line('warn', `Not carried: ${reason}`),
        line('dim', 'The run is carried as soon as that works again', 1),
      ]
    : [
        line('warn', `The run is carried, its branch is not: ${reason}`),
        line('dim', 'Somebody else has pushed to it. Merge the two when the run has ended', 1),
      ];
}

function formatKept(ref: string | undefined, says: string): readonly Line[] {
  return ref === undefined ? [] : [line('plain', `${says}: git log ${ref}`, 1)];
}
