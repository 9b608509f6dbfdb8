// Formats the review.
import type { StageEnd } from '../../event/review.ts';
import type { FactOf } from '../../event.ts';
import { isGoodEnd } from '../findings/findings.ts';
import { formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import type { Formats } from './formats.ts';

export const reviewFormats = {
  'stage-started': ({ stage, reviewers }) => [line('head', `Review ${stage}: ${formatList(reviewers)}`)],
  // Who did not answer was told.
  'stage-ended': ({ stage, end, reason }) => [
    line(toneOfEnd(end), `Review ${stage}: ${end}${end === 'incomplete' ? '' : ` (${reason})`}`),
  ],
  'review-round-started': ({ round, head }) => [line('plain', `Round ${round} at ${shortOid(head)}`, 1)],
  // The last one ends for the stage's reason, shown next.
  'review-round-ended': ({ verdict, round, reason }) =>
    verdict === 'again' ? [line('dim', `Round ${round} ended: ${reason}; another round follows`, 1)] : [],
  'opinion-given': formatOpinion,
  'opinion-missing': ({ reviewer, reason, again }) =>
    again ? [] : [line('warn', `${reviewer} did not answer: ${reason}`, 1)],
  'finding-tried': ({ finding, result, reason }) => [
    line(result === 'confirmed' ? 'warn' : 'plain', `${finding} ${result}: ${reason}`, 1),
  ],
  'findings-answered': (fact) =>
    fact.answers.map(({ finding, answer, reason }) =>
      line('plain', `${finding} ${answer}${reason === '' ? '' : `: ${reason}`}`, 2),
    ),
} satisfies Formats;

function formatOpinion({ reviewer, from, findings }: FactOf<'opinion-given'>): readonly Line[] {
  if (from !== undefined)
    return [
      line('dim', `${reviewer} is not asked again: it found nothing in this commit in stage ${from}`, 1),
    ];
  if (findings.length === 0) return [line('plain', `${reviewer} found nothing`, 1)];
  return [
    line('plain', `${reviewer} has ${formatCount(findings.length, 'finding')}`, 1),
    ...findings.map(({ id, severity, file, line: at, title }) =>
      line('plain', `${id} ${severity} ${at === 0 ? file : `${file}:${at}`} ${title}`, 2),
    ),
  ];
}

function toneOfEnd(end: StageEnd): Line['tone'] {
  if (isGoodEnd(end)) return 'good';
  return end === 'skipped' ? 'dim' : 'warn';
}
