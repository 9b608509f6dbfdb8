// Formats the review: stages, rounds, findings, the fixer's answers, and how each stage ended.
import type { FactOf } from '../../event.ts';
import { formatCount, formatList, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';

type ReviewFact =
  | FactOf<'stage-started'>
  | FactOf<'review-round-started'>
  | FactOf<'opinion-given'>
  | FactOf<'opinion-missing'>
  | FactOf<'fix-planned'>
  | FactOf<'findings-answered'>
  | FactOf<'fix-ended'>
  | FactOf<'review-round-ended'>
  | FactOf<'stage-ended'>;

/** The lines of one fact about the review. */
export function formatReview(fact: ReviewFact): readonly Line[] {
  switch (fact.type) {
    case 'stage-started':
      return [line('head', `Review ${fact.stage}: ${formatList(fact.reviewers)}`)];
    case 'review-round-started':
      return [line('plain', `Round ${fact.round} at ${shortOid(fact.head)}`, 1)];
    case 'opinion-given':
      return formatOpinion(fact);
    case 'opinion-missing': {
      const next = fact.again ? 'it is asked once more' : 'the stage cannot be clean without it';
      return [line('warn', `${fact.reviewer} did not answer: ${fact.reason}; ${next}`, 1)];
    }
    case 'fix-planned':
      return [
        line(
          'plain',
          `${formatList(fact.findings)} ${fact.findings.length === 1 ? 'is' : 'are'} given to a fixer`,
          1,
        ),
      ];
    case 'findings-answered':
      return fact.answers.map(({ finding, answer, reason }) =>
        line('plain', `${finding} ${answer}${reason === '' ? '' : `: ${reason}`}`, 2),
      );
    case 'fix-ended':
      return formatFix(fact);
    case 'review-round-ended': {
      const next = fact.verdict === 'again' ? '; another round follows' : '';
      return [line('dim', `Round ${fact.round} ended: ${fact.reason}${next}`, 1)];
    }
    case 'stage-ended':
      return [line(lookOfEnd(fact), `Review ${fact.stage}: ${fact.end} (${fact.reason})`)];
  }
}

function formatOpinion({ reviewer, findings }: FactOf<'opinion-given'>): readonly Line[] {
  if (findings.length === 0) return [line('plain', `${reviewer} found nothing`, 1)];
  return [
    line('plain', `${reviewer} has ${formatCount(findings.length, 'finding')}`, 1),
    ...findings.map(({ id, severity, file, line: at, title }) =>
      line('plain', `${id} ${severity} ${at === 0 ? file : `${file}:${at}`} ${title}`, 2),
    ),
  ];
}

function formatFix({ result, reason, oid, rescue }: FactOf<'fix-ended'>): readonly Line[] {
  switch (result) {
    case 'committed':
      return [line('good', `Fixed in commit ${shortOid(oid ?? '')}: ${reason}`, 1)];
    case 'nothing':
      return [line('plain', `Nothing was changed: ${reason}`, 1)];
    case 'unfixed': {
      const where = rescue === undefined ? '' : `; its work is kept: pawl rescue show ${shortOid(rescue)}`;
      return [line('bad', `Not fixed: ${reason}${where}`, 1)];
    }
  }
}

function lookOfEnd({ end }: FactOf<'stage-ended'>): 'good' | 'warn' | 'dim' {
  switch (end) {
    case 'clean':
    case 'settled':
      return 'good';
    case 'skipped':
      return 'dim';
    case 'disputed':
    case 'unfixed':
    case 'incomplete':
    case 'capped':
    case 'over-budget':
      return 'warn';
  }
}
