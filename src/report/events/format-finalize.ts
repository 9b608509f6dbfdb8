// Formats finalizing: what became of the run's commits, and how it ended.
import type { FactOf } from '../../event.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

/** The lines of each fact about finalizing. */
export const finalizeFormats = {
  'finalize-started': () => [line('plain', 'One session finalizes the work', 1)],
  'history-finalized': (fact) => [
    line('plain', `${formatRewrite([fact])}; the old ones are kept as ${fact.kept}`, 1),
  ],
  'finalize-ended': (fact) => formatEnd(fact),
} satisfies Formats;

/** What became of the commits: `4 commits became 1, with the same files`. */
export function formatRewrite(rewrites: readonly FactOf<'history-finalized'>[]): string {
  const [old, now] = [new Set<string>(), new Set<string>()];
  for (const each of rewrites.flatMap(({ commits }) => commits)) {
    // What an earlier rewrite made is not one of the run's own commits.
    if (!now.delete(each.old)) old.add(each.old);
    now.add(each.now);
  }
  if (old.size === 0) return 'A commit was added without a change';
  const how = rewrites.some(({ task }) => task === undefined) ? 'by hand' : 'with the same files';
  return `${formatCount(old.size, 'commit')} became ${now.size}, ${how}`;
}

function formatEnd({ result, reason, oid, rescue }: FactOf<'finalize-ended'>): readonly Line[] {
  switch (result) {
    case 'committed':
      return [line('good', `Finalized in ${shortOid(oid ?? '')}: ${reason}`)];
    case 'rewritten':
      return [line('good', `Finalized: ${reason}`)];
    case 'nothing':
      return [line('plain', `Finalized: ${reason}`)];
    case 'failed': {
      const where = rescue === undefined ? '' : `; what it did is in the rescue ${shortOid(rescue)}`;
      return [line('warn', `Not finalized: ${reason}${where}`)];
    }
  }
}
