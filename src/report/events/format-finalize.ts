// Formats finalizing and the squash.
import type { FactOf } from '../../event.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const finalizeFormats = {
  'finalize-started': () => [line('plain', 'One session finalizes the work', 1)],
  'run-squashed': (fact) => [line('good', `${formatSquash(fact)}; the old ones are kept as ${fact.kept}`)],
  'finalize-ended': (fact) => formatEnd(fact),
} satisfies Formats;

/** `4 commits became 0123456789`. */
export function formatSquash({ commits, to }: FactOf<'run-squashed'>): string {
  return `${formatCount(commits, 'commit')} became ${shortOid(to)}`;
}

function formatEnd({ result, reason, oid, rescue }: FactOf<'finalize-ended'>): readonly Line[] {
  switch (result) {
    case 'committed':
      return [line('good', `Finalized in ${shortOid(oid ?? '')}: ${reason}`)];
    case 'nothing':
      return [line('plain', `Finalized: ${reason}`)];
    case 'failed': {
      const where = rescue === undefined ? '' : `; what it did is in the rescue ${shortOid(rescue)}`;
      return [line('warn', `Not finalized: ${reason}${where}`)];
    }
  }
}
