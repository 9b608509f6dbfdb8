// Formats what is lost, kept or put back when a carried run changes machines.
import type { FactOf } from '../../event.ts';
import { formatList, formatMoment, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

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
  'carry-work-back': ({ rescue, left }) => [
    line('plain', `The work that was set aside (${shortOid(rescue)}) is back in the tree`),
    ...(left.length === 0
      ? []
      : [line('warn', `not restored, because they were changed meanwhile: ${formatList(left)}`, 1)]),
  ],
} satisfies Formats;

function formatFailed({ what, reason }: FactOf<'carry-failed'>): readonly Line[] {
  return what === 'all'
    ? [
        line('warn', `Not carried: ${reason}`),
        line('dim', 'Work continues here; the run is carried as soon as that works again', 1),
      ]
    : [
        line('warn', `The run is carried, its branch is not: ${reason}`),
        line('dim', 'Somebody else has pushed to it. Merge the two when the run has ended', 1),
      ];
}

function formatKept(ref: string | undefined, says: string): readonly Line[] {
  return ref === undefined ? [] : [line('plain', `${says}: git log ${ref}`, 1)];
}
