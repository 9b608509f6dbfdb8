// What the review found: its order, its lines, its Markdown, and a run without a review.
import { describe, expect, it, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import {
  findingBlock,
  findingsBlocks,
  formatStage,
  toneOfStage,
} from '../../../src/report/findings/findings.ts';
import { judgeFindings, type StageItem } from '../../../src/report/findings/judge-findings.ts';
import { toLines } from '../../../src/report/text/block.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { fact, stateOf } from '../../helpers/facts.ts';
import { disputedReview, opinion } from '../review-state.ts';

const found = judgeFindings(stateOf(...disputedReview));
const lines = (...facts: readonly Fact[]) =>
  toLines(findingsBlocks(judgeFindings(stateOf(...facts))))
    .map(renderLine)
    .join('\n');

it('names a review without a plan once as a review', () => {
  const { stages } = found;
  const [head] = toLines(findingsBlocks({ ...found, stages, title: 'Review of main' }));
  expect(head && renderLine(head)).toBe(`Review of main (${found.run})`);
});

it('orders by standing, severity and place', () => {
  expect(found.findings.map(({ id, standing }) => `${id} ${standing}`)).toEqual([
    ...['F3 open', 'F5 open', 'F4 disputed', 'F2 rejected', 'F1 fixed'],
  ]);
  const begin = [fact('stage-started'), fact('review-round-started')];
  const places = opinion('quality', {
    F1: { file: 'b' },
    F2: { line: 9 },
    F3: { line: 7 },
    F4: { file: 'B' },
  });
  expect(judgeFindings(stateOf(...begin, places)).findings.map(({ id }) => id)).toEqual([
    ...['F4', 'F1', 'F3', 'F2'],
  ]);
});

it('names each who raised it once, and the plan where it lies now', () => {
  expect(found.findings.find(({ id }) => id === 'F4')).toMatchObject({
    reviewers: ['quality', 'testing'],
    stages: ['first'],
    reason: 'harmless',
  });
  expect(found.stages).toMatchObject([{ stage: 'first', end: 'open', rounds: 2 }]);
  expect(judgeFindings(stateOf(fact('plan-archived'))).plan).toBe('docs/plans/completed/auth.md');
});

it('as lines', () => {
  expect(lines(...disputedReview)).toMatchInlineSnapshot(`
    "Review of Add user authentication (20261121-223005-auth)
      first: open after 2 rounds: F4 was rejected and raised again
      Open: F3 critical src/auth.ts:40 Complaint F3 (quality)
      Open: F5 note ./src/a b.ts:3 Complaint F5 (testing)
      Disputed: F4 major src/auth.ts:12 Complaint F4 — rejected, and raised again or proven: harmless (quality, testing)
      Rejected: F2 minor src/b.ts Complaint F2 — rejected: it is meant so (quality)
      Fixed: F1 major src/auth.ts:12 The token is compared with == — fixed: constant time (quality)"
  `);
});

it('is loud only where an open finding is major or confirmed', () => {
  const open = found.findings.filter(({ standing }) => standing === 'open');
  expect(open.map((one) => `${one.severity} ${findingBlock(one).tone}`)).toEqual([
    'critical bad',
    'note warn',
  ]);
  expect(open.map((one) => findingBlock({ ...one, tried: 'confirmed' }).tone)).toEqual(['bad', 'bad']);
});

it('a run without a review says so, and so does one whose reviewers found nothing', () => {
  expect(lines()).toBe('There was no review in the run 20261121-223005-auth');
  const clean = [fact('stage-started'), fact('review-round-started'), fact('stage-ended')];
  expect(lines(...clean)).toContain('Nothing was found.');
});

it('shortens long evidence', () => {
  const begin = [fact('stage-started'), fact('review-round-started')];
  const text = lines(...begin, opinion('quality', { F1: { evidence: 'x'.repeat(2000) } }));
  expect(text).toMatch(/ x{599}… \(quality\)$/);
});

describe('a stage', () => {
  type End = FactOf<'stage-ended'>['end'];
  const stage = (end?: End, change: Partial<StageItem> = {}): StageItem => ({
    ...{ stage: 'first', reviewers: ['quality'], rounds: 1, optional: false },
    ...(end === undefined ? {} : { end, reason: 'so' }),
    ...change,
  });
  test.each<[StageItem, string, string]>([
    [stage('clean'), 'first: clean after 1 round: so', 'good'],
    [stage('settled', { optional: true }), 'first (optional): settled after 1 round: so', 'good'],
    [stage('skipped', { optional: true }), 'first: skipped: so', 'plain'],
    [stage('incomplete'), 'first: incomplete after 1 round: so', 'warn'],
    [stage('open', { optional: true }), 'first (optional): open after 1 round: so', 'plain'],
    [stage(undefined, { rounds: 3 }), 'first: not ended after 3 rounds', 'warn'],
    [stage('clean', { reason: '' }), 'first: clean after 1 round', 'good'],
  ])('%o', (item, words, tone) => {
    expect(formatStage(item)).toBe(words);
    expect(toneOfStage(item)).toBe(tone);
  });
});
