// What a review means for the exit code: one row per end of a stage, with and without a severity to fail on.
import { expect, test } from 'vitest';
import type { StageEnd } from '../../../src/event/review.ts';
import type { Severity } from '../../../src/event/severity.ts';
import { foldIntoReview, noReview } from '../../../src/journal/fold-review.ts';
import { reasonsOfReview } from '../../../src/phase/review/review.ts';
import { fact, sampleFacts, stampAll } from '../../helpers/facts.ts';

const [finding] = sampleFacts['opinion-given'].findings;

function review(
  end: StageEnd,
  { found, optional = false }: Readonly<{ found?: Severity; optional?: boolean }> = {},
) {
  const findings = found && finding ? [{ ...finding, severity: found }] : [];
  const facts = [
    fact('stage-started', { optional }),
    fact('review-round-started'),
    fact('opinion-given', { findings }),
    fact('stage-ended', { end }),
  ];
  return stampAll(facts).reduce(foldIntoReview, noReview);
}

/** The end, what is open, the severity to fail on, whether it is a reason. */
test.each<[StageEnd, Severity | undefined, Severity | undefined, boolean]>([
  ['clean', undefined, undefined, false],
  ['clean', 'note', undefined, false],
  ['clean', 'note', 'note', true],
  ['clean', 'note', 'major', false],
  ['settled', undefined, undefined, false],
  ['skipped', undefined, undefined, false],
  ['over-budget', 'major', undefined, false],
  ['incomplete', undefined, undefined, true],
  ['incomplete', undefined, 'critical', true],
  ['open', undefined, undefined, true],
  ['open', undefined, 'major', false],
  ['open', 'minor', undefined, true],
  ['open', 'minor', 'major', false],
  ['open', 'major', 'major', true],
])('%s with %s open, failing on %s: %s', (end, found, failOn, isReason) => {
  const given = found === undefined ? {} : { found };
  const reasons = reasonsOfReview(review(end, given), { failOn });
  expect(reasons.map(({ exit, code }) => [exit, code])).toEqual(isReason ? [[4, 'review']] : []);
});

test('an optional stage is no reason', () => {
  expect(reasonsOfReview(review('incomplete', { optional: true }))).toEqual([]);
});

test('what a later stage has fixed is no reason', () => {
  const facts = [
    fact('stage-started'),
    fact('review-round-started'),
    fact('opinion-given'),
    fact('stage-ended', { end: 'open', open: ['F1'] }),
    fact('finding-tried'),
    fact('finding-tried', { result: 'refuted' }),
  ];
  expect(reasonsOfReview(stampAll(facts).reduce(foldIntoReview, noReview))).toEqual([]);
});

test('what is open is named', () => {
  const [reason] = reasonsOfReview(review('open', { found: 'major' }));
  expect(reason?.text).toContain('F1 major src/auth.ts:12 The token is compared with ==');
});

test.each([
  [true, 1],
  [false, 0],
])('where only proofs count, one that is confirmed (%s) is a reason', (isConfirmed, reasons) => {
  const facts = [
    fact('stage-started'),
    fact('review-round-started'),
    fact('opinion-given'),
    ...(isConfirmed ? [fact('finding-tried')] : []),
    fact('stage-ended', { end: isConfirmed ? 'open' : 'settled' }),
  ];
  const given = stampAll(facts).reduce(foldIntoReview, noReview);
  expect(reasonsOfReview(given, { failOn: 'minor', proven: true })).toHaveLength(reasons);
});
