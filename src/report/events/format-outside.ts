// Formats what is outside of this machine: a run's request, what CI says of its commits, and what is lost, kept or put
// back when a carried run changes machines.
import type { FactOf } from '../../event.ts';
import { formatMoment, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './render-context.ts';

export const forgeFormats = {
  request: ({ state, noun, url, head, target }) => [
    line(
      'good',
      `The ${noun} into ${target}, at ${shortOid(head)}${state === 'open' ? '' : ', is no draft any more'}: ${url}`,
    ),
  ],
  ci: ({ state, head, text, jobs }) => [
    line(
      state === 'green' ? 'good' : state === 'red' ? 'bad' : 'warn',
      `CI ${words[state]} ${shortOid(head)}: ${text}`,
    ),
    ...jobs.slice(0, 6).flatMap(formatJob),
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

function formatJob({ name, url }: FactOf<'ci'>['jobs'][number]): readonly Line[] {
  return url === '' ? [] : [line('dim', `${name}: ${url}`, 1)];
}

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
