// What follows in a review: one row per branch, and that no sequence of facts ends clean without every answer.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import {
  type FindingState,
  foldIntoReview,
  noReview,
  type ReviewRound,
} from '../../../src/journal/fold-review.ts';
import {
  judgeFix,
  judgeOpinions,
  type ReviewVerdict,
  type SeenRound,
} from '../../../src/phase/review/judge-review.ts';
import { arbitraryFact } from '../../helpers/arbitrary-fact.ts';
import { fact, stampAll } from '../../helpers/facts.ts';
import { complaint } from '../../helpers/review.ts';

const head = 'a'.repeat(40);

function found(
  standing: FindingState['standing'],
  severity: FindingState['severity'] = 'major',
  result?: 'confirmed' | 'unproven',
): FindingState {
  const tried = result && { tried: fact('finding-tried', { result }) };
  return { id: 'F1', ...complaint({ severity }), ...empty, standing, ...tried };
}

const empty = { anchor: '', fingerprint: '', raised: [] };

function round(change: Partial<ReviewRound> = {}): ReviewRound {
  const opinions = new Map(reviewers.map((name) => [name, []]));
  return { round: 1, head, opinions, missing: new Map(), answers: [], ...change };
}

const reviewers = ['quality', 'testing'];

function seen(change: Partial<SeenRound> = {}): SeenRound {
  return { round: round(), reviewers, findings: [], roundsLeft: 3, head, ...change };
}

const later = round({ round: 2 });
const missing = new Map([['testing', ['died', 'died again']]]);
const half = round({ opinions: new Map([['quality', []]]), missing });
const [confirmed, disproven] = [found('open', 'minor', 'confirmed'), found('open', 'major', 'unproven')];
const broke = { overspent: '$5 of $5' };

describe('after the opinions', () => {
  test.each<[string, SeenRound, string, string]>([
    ['all answered, nothing found', seen(), 'end clean', '2 reviewers answered'],
    ['an opinion', seen({ findings: [found('open')] }), 'fix', '1 finding to fix'],
    ['an opinion that could not be proven', seen({ findings: [disproven] }), 'fix', ''],
    ['a minor opinion', seen({ findings: [found('open', 'minor')] }), 'end settled', '1 opinion'],
    ['confirmed, and minor', seen({ findings: [confirmed] }), 'fix', '1 finding'],
    ['confirmed, and taste', seen({ findings: [found('open', 'note', 'confirmed')] }), 'end clean', ''],
    ['an opinion in a later round', seen({ round: later, findings: [found('open')] }), 'end open', 'F1'],
    ['critical later', seen({ round: later, findings: [found('open', 'critical')] }), 'end open', ''],
    ['minor in a later round', seen({ round: later, findings: [found('open', 'minor')] }), 'end settled', ''],
    ['confirmed later', seen({ round: later, findings: [confirmed] }), 'fix', ''],
    ['refuted', seen({ findings: [found('refuted', 'critical')] }), 'end clean', ''],
    ['a report', seen({ findings: [found('open', 'minor')], report: 'all' }), 'end open', '1 finding'],
    ['a report that wants proof', seen({ findings: [found('open')], report: 'proven' }), 'end settled', ''],
    ['a report with proof', seen({ findings: [confirmed], report: 'proven' }), 'end open', ''],
    ['open, nothing to spend', seen({ findings: [found('open')], ...broke }), 'end over-budget', '$5'],
    ['one silent', seen({ round: half }), 'end incomplete', 'no answer from testing: died again'],
    ['one silent, nothing to spend', seen({ round: half, ...broke }), 'end over-budget', '$5'],
    ['one silent, something open', seen({ round: half, findings: [found('open')] }), 'fix', '1 finding'],
    ['nobody was asked', seen({ round: round({ opinions: new Map() }) }), 'end incomplete', ': not asked'],
    ['HEAD moved meanwhile', seen({ head: 'b' }), 'again', 'HEAD moved while'],
    [
      'HEAD moved in the last round',
      seen({ head: 'b', roundsLeft: 0 }),
      'end incomplete',
      'HEAD moved while',
    ],
    ['rejected before', seen({ findings: [found('rejected')] }), 'end settled', '1 opinion'],
    ['rejected and raised again', seen({ findings: [found('disputed')] }), 'end open', '1 finding'],
    ['disputed, but mild', seen({ findings: [found('disputed', 'note')] }), 'end clean', ''],
    ['disputed beside open', seen({ findings: [found('disputed'), found('open')] }), 'fix', '1 finding'],
    ['rejected, its proof red', seen({ findings: [{ ...confirmed, standing: 'disputed' }] }), 'end open', ''],
    ['fixed before', seen({ findings: [found('fixed')] }), 'end clean', ''],
  ])('%s', (_, given, kind, reason) => expectOf(judgeOpinions(given), kind, reason));
});

function expectOf(verdict: ReviewVerdict, kind: string, reason: string): void {
  expect(verdict.kind === 'end' ? `end ${verdict.end}` : verdict.kind).toBe(kind);
  expect(verdict.reason).toContain(reason);
}

describe('after the fixer', () => {
  const fix = (result: 'committed' | 'nothing' | 'failed') =>
    round({ fix: fact('work-ended', { result, reason: 'so' }) });
  test.each<[string, SeenRound, string, string]>([
    ['it committed', seen({ round: fix('committed') }), 'again', 'a fix was committed'],
    [
      'in the last round',
      seen({ round: fix('committed'), roundsLeft: 0 }),
      'end incomplete',
      'in the last round',
    ],
    ['it rejected all', seen({ round: fix('nothing'), findings: [found('rejected')] }), 'again', 'rejected'],
    ['it failed', seen({ round: fix('failed') }), 'end open', 'so'],
    ['nothing to spend', seen({ round: fix('committed'), ...broke }), 'end over-budget', '$5'],
  ])('%s', (_, given, kind, reason) => expectOf(judgeFix(given), kind, reason));
});

const types = [
  'stage-started',
  'review-round-started',
  'opinion-given',
  'opinion-missing',
  'finding-tried',
  'findings-answered',
  'work-ended',
] as const;

test('no sequence of facts is clean or settled without every answer at this HEAD', () => {
  const facts = fc.array(fc.oneof(...types.map((type) => arbitraryFact(type))), { maxLength: 25 });
  fc.assert(
    fc.property(facts, fc.constantFrom('1', '2'), (drawn, at) => {
      const all = drawn.map((one) =>
        'stage' in one
          ? ({ ...one, stage: '1' } as Fact)
          : one.type === 'work' && one.state === 'ended' && one.fix
            ? { ...one, fix: { ...one.fix, stage: '1' } }
            : one,
      );
      const review = stampAll(all).reduce(foldIntoReview, noReview);
      for (const stage of review.stages.values()) {
        const last = stage.rounds.at(-1);
        if (!last) continue;
        const { reviewers } = stage.started;
        const findings = [...review.findings.values()];
        const given = { round: last, reviewers, findings, roundsLeft: 1, head: at };
        const verdict = judgeOpinions(given);
        expect(verdict.reason).not.toBe('');
        if (verdict.kind !== 'end' || (verdict.end !== 'clean' && verdict.end !== 'settled')) continue;
        expect(reviewers.filter((name) => !last.opinions.has(name))).toEqual([]);
        expect(last.head).toBe(at);
        const bad = findings.filter(({ severity }) => severity === 'critical');
        expect(bad.filter(({ standing }) => standing === 'open' || standing === 'disputed')).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});
