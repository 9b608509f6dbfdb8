// Formats what experiments show of a task's work and its checks.
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import { formatCount, formatList, formatMs } from '../text/figure.ts';
import { type Line, line, span, spanned } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const proofFormats = {
  'proof-judged': (fact, { verbose }, { state }) => formatProof(fact, { verbose, state }),
} satisfies Formats;

/** If the word is the one that the task was closed with, only what experiments add. */
function formatProof(
  { task = '', word, reasons, experiments }: FactOf<'proof-judged'>,
  { verbose, state }: Readonly<{ verbose: boolean; state: RunState | undefined }>,
): readonly Line[] {
  const seen = experiments ? formatExperiments(experiments) : [];
  const isSame = state?.tasks.get(task)?.closed?.proof === word && word === 'proven';
  if (isSame) return seen.length === 0 ? [] : [line('dim', `Task ${task}: ${seen.join(' · ')}`, 1)];
  const tone = word === 'unchecked' ? 'warn' : 'plain';
  const sign = word === 'unchecked' ? span('warn', '! ') : span('good', '✓ ');
  const why = word === 'proven' || reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  const told = seen.length === 0 || verbose ? [] : [span('dim', `  ${seen.join(' · ')}`)];
  return [
    spanned(tone, [sign, `Task ${task} ${word}${why}`, ...told]),
    ...(verbose ? seen.map((text) => line('dim', text, 1)) : []),
  ];
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
