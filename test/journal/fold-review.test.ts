// Where a finding stands after what was said about it.
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldIntoReview, noReview, type ReviewState } from '../../src/journal/fold-review.ts';
import { fact, sampleFacts, stampAll } from '../helpers/facts.ts';

const begin = [fact('stage-started'), fact('review-round-started')];
const [finding] = sampleFacts['opinion-given'].findings;

function raise(change: Partial<NonNullable<typeof finding>> = {}, reviewer = 'quality'): Fact {
  return fact('opinion-given', { reviewer, findings: finding ? [{ ...finding, ...change }] : [] });
}

function say(answer: 'fixed' | 'rejected'): Fact {
  return fact('findings-answered', { answers: [{ finding: 'F1', answer, reason: 'so' }] });
}

function fold(...facts: readonly Fact[]): ReviewState {
  return stampAll([...begin, ...facts]).reduce(foldIntoReview, noReview);
}

const fixed = fact('work-ended');
const nothing = fact('work-ended', { result: 'nothing' });
const unfixed = fact('work-ended', { result: 'failed' });

test.each<[string, readonly Fact[], string]>([
  ['raised', [raise()], 'open'],
  ['fixed and committed', [raise(), say('fixed'), fixed], 'fixed'],
  ['said to be fixed, nothing committed', [raise(), say('fixed')], 'open'],
  ['said to be fixed, no file changed', [raise(), say('fixed'), nothing], 'open'],
  ['said to be fixed, checks stayed red', [raise(), say('fixed'), unfixed], 'open'],
  ['fixed and seen again', [raise(), say('fixed'), fixed, raise()], 'open'],
  ['rejected', [raise(), say('rejected'), nothing], 'rejected'],
  ['rejected by a fixer that came to nothing', [raise(), say('rejected'), unfixed], 'open'],
  ['rejected, then mended after all', [raise(), say('rejected'), say('fixed'), fixed], 'fixed'],
  ['rejected and raised again', [raise(), say('rejected'), nothing, raise()], 'disputed'],
  [
    'disputed and raised by another',
    [raise(), say('rejected'), nothing, raise(), raise({}, 'testing')],
    'disputed',
  ],
])('%s', (_, facts, standing) => {
  expect(fold(...facts).findings.get('F1')?.standing).toBe(standing);
});

describe('a finding of two reviewers', () => {
  const state = fold(
    raise({ severity: 'minor' }),
    raise({ severity: 'critical' }, 'testing'),
    raise({ severity: 'note' }),
  );
  test('has the worst severity', () => expect(state.findings.get('F1')?.finding.severity).toBe('critical'));
  test('names who raised it', () =>
    expect(state.findings.get('F1')?.raised.map(({ reviewer }) => reviewer)).toEqual([
      'quality',
      'testing',
      'quality',
    ]));
});

test('a round holds opinions, vain calls, answers and its end', () => {
  const again = fact('opinion-missing', { reason: 'crashed' });
  const state = fold(
    raise(),
    fact('opinion-missing'),
    again,
    say('fixed'),
    fixed,
    fact('review-round-ended'),
  );
  const [round] = state.stages.get('first')?.rounds ?? [];
  expect(round?.opinions).toEqual(new Map([['quality', ['F1']]]));
  expect(round?.missing).toEqual(new Map([['testing', ['the answer holds no JSON', 'crashed']]]));
  expect(round?.answers).toHaveLength(1);
  expect(round?.fix?.result).toBe('committed');
  expect(round?.ended?.reason).toBe('HEAD moved');
});
