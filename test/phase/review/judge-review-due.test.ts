// Who is asked in a round, and who has answered already: one row per rule.
import { expect, test } from 'vitest';
import { readStages } from '../../../src/config/stages.ts';
import type { Fact } from '../../../src/event.ts';
import { foldIntoReview, noReview } from '../../../src/journal/fold-review.ts';
import { dueReviewers, knownAnswers } from '../../../src/phase/review/judge-review.ts';
import { fact, stampAll } from '../../helpers/facts.ts';
import { opinion } from '../../report/review-state.ts';

const five = ['quality', 'implementation', 'testing', 'simplification', 'documentation'];
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string];
const base = '0'.repeat(40);

const begin = (stage = 'first') => fact('stage-started', { stage, base });
const round = (number: number, head: string) => fact('review-round-started', { round: number, head });
const quiet = (number: number, ...names: readonly string[]) => names.map((name) => opinion(name, {}, number));
const mended = (number: number, head: string): readonly Fact[] => [
  fact('work-ended', { fix: { stage: 'first', round: number }, result: 'committed' }),
  fact('review-round-ended', { round: number, verdict: 'again', head }),
];
const complained = [
  begin(),
  round(1, a),
  opinion('testing', { F1: {} }),
  ...quiet(1, 'quality', 'implementation', 'simplification', 'documentation'),
];
const after = [...complained, ...mended(1, b), round(2, b)];

function reviewOf(facts: readonly Fact[]) {
  return stampAll(facts).reduce(foldIntoReview, noReview);
}

test.each<[string, readonly unknown[], readonly Fact[], readonly string[]]>([
  ['in the first round', ['first', 'final'], [begin(), round(1, a)], five],
  ['after a fix, who had complained', ['first', 'final'], after, ['testing']],
  [
    'after a fix, who had not answered, and is asked by no later stage',
    ['first', 'final'],
    [
      ...complained.filter(
        (one) => one.type !== 'opinion' || one.state !== 'given' || one.reviewer !== 'quality',
      ),
      ...mended(1, b),
      round(2, b),
    ],
    ['testing'],
  ],
  [
    'after a fix, whom a later stage asks in another way',
    ['first', { name: 'final', reviewers: ['testing'], agent: 'codex' }],
    after,
    ['testing'],
  ],
  [
    'after a fix, nobody whom a later stage asks',
    ['first', { name: 'final', reviewers: ['testing'] }],
    after,
    [],
  ],
  [
    'after two fixes',
    ['first', 'final'],
    [...after, opinion('testing', { F2: {} }, 2), ...mended(2, c), round(3, c)],
    ['testing'],
  ],
  [
    'after a fix and a commit of somebody else',
    ['first', 'final'],
    [...complained, ...mended(1, b), round(2, c)],
    five,
  ],
  [
    'where HEAD moved without a fix',
    ['first', 'final'],
    [...complained, fact('review-round-ended', { verdict: 'again', head: b }), round(2, b)],
    five,
  ],
  ['after a fix in the only stage', ['first'], after, five],
  [
    'after a fix in the last stage that is not optional',
    ['first', { name: 'more', reviewers: ['external'], optional: true }],
    after,
    five,
  ],
])('%s', (_, names, facts, wanted) => {
  const stages = readStages(names as Parameters<typeof readStages>[0]);
  const [first] = stages;
  const rounds = reviewOf(facts).stages.get('first')?.rounds ?? [];
  expect(first && dueReviewers(first, rounds, { stages })).toEqual(wanted);
});

const usual = ['first', 'final'];
test.each<
  [string, readonly unknown[], readonly Fact[], Readonly<{ head?: string; base?: string }>, string[]]
>([
  ['who found nothing in this commit', usual, complained, {}, ['quality', 'implementation']],
  ['nobody, in another commit', usual, complained, { head: b }, []],
  ['nobody, from another base', usual, complained, { base: c }, []],
  ['nobody who complained', ['first', { name: 'final', reviewers: ['testing'] }], complained, {}, []],
  [
    'nobody of another agent',
    ['first', { name: 'final', reviewers: ['quality'], agent: 'codex' }],
    complained,
    {},
    [],
  ],
  [
    'nobody of another model',
    ['first', { name: 'final', reviewers: ['quality'], model: 'opus' }],
    complained,
    {},
    [],
  ],
  ['no script', ['first', { name: 'final', script: './review.sh' }], complained, {}, []],
])('answers that are known: %s', (_, names, facts, { head = a, base: from = base }, wanted) => {
  const stages = readStages(names as Parameters<typeof readStages>[0]);
  const stage = stages[1];
  const known = stage && knownAnswers(reviewOf(facts), { stage, head }, { stages, base: from });
  expect([...(known ?? new Map()).keys()]).toEqual(wanted);
});
