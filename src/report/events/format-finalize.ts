// Formats fixes, the finalizing and the squash.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const finalizeFormats = {
  'run-squashed': (fact) => [line('good', `${formatSquash(fact)}; the old ones are kept as ${fact.kept}`)],
  work: {
    planned: ({ fix }) => [line('plain', formatPlanned(fix?.findings), 1)],
    ended: (fact) => (fact.fix ? formatFix(fact) : formatEnd(fact)),
  },
} satisfies Formats;

function formatPlanned(findings: readonly string[] | undefined): string {
  if (!findings) return 'One session finalizes the work';
  return `${formatList(findings)} ${findings.length === 1 ? 'is' : 'are'} given to a fixer`;
}

/** `4 commits became 0123456789`. */
export function formatSquash({ commits, to }: FactOf<'run-squashed'>): string {
  return `${formatCount(commits, 'commit')} became ${shortOid(to)}`;
}

function formatEnd({ result, reason, oid, rescue }: FactOf<'work-ended'>): readonly Line[] {
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

/** Its close and commit have just been shown. */
function formatFix(fact: FactOf<'work-ended'>): readonly Line[] {
  const { result, reason, rescue, doubts = [] } = fact;
  switch (result) {
    case 'committed':
      return doubts.map(({ finding, text }) => line('warn', `${finding}: ${text}`, 1));
    case 'nothing':
      return [line('plain', `Nothing was changed: ${reason}`, 1)];
    case 'failed': {
      const where = rescue === undefined ? '' : `; its work is kept: pawl rescue show ${shortOid(rescue)}`;
      return [line('bad', `Not fixed: ${reason}${where}`, 1)];
    }
  }
}
