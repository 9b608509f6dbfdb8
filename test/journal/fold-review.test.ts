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
const doubted = fact('work-ended', { doubts: [{ finding: 'F1', text: 'x was removed' }] });
const rejected = [say('rejected'), nothing];
const tried = (result: 'confirmed' | 'refuted' | 'unproven') => fact('finding-tried', { result });
const confirmed = tried('confirmed');

test.each<[string, readonly Fact[], string]>([
  ['raised', [], 'open'],
  ['fixed and committed', [say('fixed'), fixed], 'fixed'],
  ['said to be fixed, nothing committed', [say('fixed')], 'open'],
  ['said to be fixed, no file changed', [say('fixed'), nothing], 'open'],
  ['said to be fixed, checks stayed red', [say('fixed'), unfixed], 'open'],
  ['fixed and seen again', [say('fixed'), fixed, raise()], 'open'],
  ['rejected', rejected, 'rejected'],
  ['rejected by a fixer that came to nothing', [say('rejected'), unfixed], 'open'],
  ['rejected, then mended after all', [say('rejected'), say('fixed'), fixed], 'fixed'],
  ['rejected and raised again', [...rejected, raise()], 'disputed'],
  ['disputed and raised by another', [...rejected, raise(), raise({}, 'testing')], 'disputed'],
  ['unproven', [tried('unproven')], 'open'],
  ['refuted', [tried('refuted')], 'refuted'],
  ['refuted and raised again', [tried('refuted'), raise()], 'open'],
  ['said to be fixed elsewhere', [say('fixed'), doubted], 'open'],
  ['the same with a green proof', [confirmed, say('fixed'), doubted], 'fixed'],
  ['rejected, though confirmed', [confirmed, say('rejected'), fixed], 'disputed'],
  ['that, and confirmed once more', [confirmed, say('rejected'), fixed, raise(), confirmed], 'disputed'],
  ['rejected, then confirmed', [say('rejected'), fixed, raise(), confirmed], 'open'],
  ['confirmed, then green', [confirmed, tried('refuted')], 'fixed'],
])('%s', (_, facts, standing) => {
  expect(fold(raise(), ...facts).findings.get('F1')?.standing).toBe(standing);
});

describe('a finding of two reviewers', () => {
  const state = fold(
    raise({ severity: 'minor' }),
    raise({ severity: 'critical' }, 'testing'),
    raise({ severity: 'note' }),
  );
  test('has the worst severity', () => expect(state.findings.get('F1')?.severity).toBe('critical'));
  test('names who raised it', () => {
    const raised = state.findings.get('F1')?.raised.map(({ reviewer }) => reviewer);
    expect(raised).toEqual(['quality', 'testing', 'quality']);
  });
});

test('proofs of a finding are tried until one is red, which is kept; once it is settled, a new one counts alone', () => {
  const proof = (command: string) => ({ command, patch: '' });
  const [careless, red, later] = [proof('true'), proof('npm test'), proof('make')];
  const given = [raise({ proof: red }), raise({ proof: careless }, 'testing'), raise({ proof: red })];
  const proofsAfter = (...facts: readonly Fact[]) => {
    const known = fold(...given, ...facts).findings.get('F1');
    return [known?.proof, ...(known?.otherProofs ?? [])];
  };
  expect(proofsAfter()).toEqual([red, careless]);
  expect(proofsAfter(fact('finding-tried', { result: 'confirmed', proof: careless }))).toEqual([careless]);
  expect(proofsAfter(confirmed, raise({ proof: careless }))).toEqual([careless, red]);
  expect(proofsAfter(tried('refuted'), raise({ proof: later }))).toEqual([later]);
});

test('a round holds opinions, vain calls, answers and its end', () => {
  const again = fact('opinion-missing', { reason: 'crashed' });
  const answered = [say('fixed'), fixed, fact('review-round-ended')];
  const state = fold(raise(), fact('opinion-missing'), again, ...answered);
  const [round] = state.stages.get('first')?.rounds ?? [];
  expect(round?.opinions).toEqual(new Map([['quality', ['F1']]]));
  expect(round?.missing).toEqual(new Map([['testing', ['the answer holds no JSON', 'crashed']]]));
  expect(round?.answers).toHaveLength(1);
  expect(round?.fix?.result).toBe('committed');
  expect(round?.ended?.reason).toBe('HEAD moved');
});
