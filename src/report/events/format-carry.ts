// Formats what happens to a run carried to a remote.
import type { FactOf } from '../../event.ts';
import { formatList, formatMoment, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const carryFormats = {
  carry: {
    begun: () => [],
    done: (fact) => {
      if (fact.caughtUp) return [line('good', 'Carried again, including what was missing')];
      return fact.first ? [line('dim', 'Carried: `pawl fleet take` continues it on another machine')] : [];
    },
    failed: (fact) => formatFailed(fact),
    'taken-up': (fact) => [
      line(
        'head',
        `Taken up from ${fact.from.host}, which last carried it on ${formatMoment(Date.parse(fact.from.at))}`,
      ),
      ...kept(fact.kept, 'Commits that were never carried from here are kept'),
      ...(fact.gone.length === 0
        ? []
        : [line('warn', `Unfinished work of tasks that were set aside stayed on ${fact.from.host}`, 1)]),
    ],
    fenced: (fact) => [
      line('bad', `${fact.by.host} has taken this run up: it ends here`),
      ...kept(fact.kept, `Commits that ${fact.by.host} does not have are kept`),
    ],
    'work-aside': (fact) => [
      line('warn', 'Its unfinished work here was taken out of the tree, and is kept', 1),
      line('dim', `\`pawl rescue restore ${shortOid(fact.rescue)}\` brings it back`, 1),
    ],
    'work-back': (fact) => [
      line('plain', `The work that was set aside (${shortOid(fact.rescue)}) is back in the tree`),
      ...(fact.left.length === 0
        ? []
        : [line('warn', `not restored, because they were changed meanwhile: ${formatList(fact.left)}`, 1)]),
    ],
  },
} satisfies Formats;

function formatFailed({ what, reason }: FactOf<'carry-failed'>): readonly Line[] {
  if (what === 'all')
    return [
      line('warn', `Not carried: ${reason}`),
      line('dim', 'Work continues here; the run is carried as soon as that works again', 1),
    ];
  return [
    line('warn', `The run is carried, its branch is not: ${reason}`),
    line('dim', 'Somebody else has pushed to it. Merge the two when the run has ended', 1),
  ];
}

function kept(ref: string | undefined, says: string): readonly Line[] {
  return ref === undefined ? [] : [line('plain', `${says}: git log ${ref}`, 1)];
}
