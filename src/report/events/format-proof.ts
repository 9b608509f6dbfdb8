// Formats what experiments show of a task's work and its checks.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, formatMs } from '../text/figure.ts';
import { type Line, line, span, spanned } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const proofFormats = {
  'proof-judged': (fact, { verbose }) => (verbose ? formatProof(fact) : [formatShortProof(fact)]),
} satisfies Formats;

export function formatProof({ task, word, reasons, experiments }: FactOf<'proof-judged'>): readonly Line[] {
  const who = task === undefined ? 'This work' : `Task ${task}`;
  const head = line(word === 'unchecked' ? 'warn' : 'plain', `${who}: ${word}: ${reasons.join('; ')}`);
  return experiments ? [head, ...formatExperiments(experiments).map((text) => line('dim', text, 1))] : [head];
}

/** What was proven needs no reason. */
function formatShortProof({ task, word, reasons, experiments }: FactOf<'proof-judged'>): Line {
  const who = task === undefined ? 'This work' : `Task ${task}`;
  const why = word === 'proven' || reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  const isGreen = word !== 'unchecked';
  const seen = experiments ? formatExperiments(experiments).join(' · ') : '';
  return spanned(isGreen ? 'plain' : 'warn', [
    span(isGreen ? 'good' : 'warn', isGreen ? '✓ ' : '! '),
    `${who} ${word}${why}`,
    span('dim', seen === '' ? '' : `  ${seen}`),
  ]);
}

type Experiments = NonNullable<FactOf<'proof-judged'>['experiments']>;

/** A sentence each; the hunks first. */
export function formatExperiments(experiments: Experiments): readonly string[] {
  const { hunks, indifferent, runs, durationMs, stopped } = experiments;
  return [
    ...formatHunks(hunks),
    ...(experiments.withoutWork === 'red' ? ['its tests: red without the work'] : []),
    ...(indifferent.length > 0 ? [`green without the work: ${formatList(indifferent)}`] : []),
    `${formatCount(runs, 'run')} of the checks, ${formatMs(durationMs)}${stopped === undefined ? '' : `; ${stopped}`}`,
  ];
}

function formatHunks(hunks: Experiments['hunks']): readonly string[] {
  const { onlyRemoving, withoutCode, untried } = hunks;
  const parts = [
    ...(hunks.lines > 0 ? [`${hunks.provenLines} of ${formatCount(hunks.lines, 'line')} proven`] : []),
    ...(hunks.unproven.length > 0 ? [`unproven: ${hunks.unproven.map(formatUnproven).join(', ')}`] : []),
    ...(onlyRemoving > 0 ? [`${formatCount(onlyRemoving, 'hunk')} only removed`] : []),
    ...(withoutCode > 0 ? [`${formatCount(withoutCode, 'hunk')} without code`] : []),
    ...(untried > 0 ? [`${formatCount(untried, 'hunk')} not tried`] : []),
  ];
  return parts.length === 0 ? [] : [parts.join(' · ')];
}

function formatUnproven({ file, from, to, executed }: Experiments['hunks']['unproven'][number]): string {
  const why = executed === undefined ? '' : executed ? ' (executed, not missed)' : ' (never executed)';
  return `${file}:${from}${to > from ? `-${to}` : ''}${why}`;
}
