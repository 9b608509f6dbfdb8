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
const isOf = (one: Fact, name: string) =>
  one.type === 'opinion' && one.state === 'given' && one.reviewer === name;
const silent = after.filter((one) => !isOf(one, 'quality'));
const moved = [...complained, fact('review-round-ended', { verdict: 'again', head: b }), round(2, b)];
const twice = [...after, opinion('testing', { F2: {} }, 2), ...mended(2, c), round(3, c)];
const usual = ['first', 'final'];
const testing = { name: 'final', reviewers: ['testing'] };
const quality = { name: 'final', reviewers: ['quality'] };
const external = { name: 'more', reviewers: ['external'], optional: true };

function reviewOf(facts: readonly Fact[]) {
  return stampAll(facts).reduce(foldIntoReview, noReview);
}

test.each<[string, readonly unknown[], readonly Fact[], readonly string[]]>([
  ['in the first round', usual, [begin(), round(1, a)], five],
  ['after a fix, who had complained', usual, after, ['testing']],
  ['who had not answered, and is asked by no later stage', usual, silent, ['testing']],
  ['whom a later stage asks in another way', ['first', { ...testing, agent: 'codex' }], after, ['testing']],
  ['nobody whom a later stage asks', ['first', testing], after, []],
  ['after two fixes', usual, twice, ['testing']],
  ['after a commit of somebody else', usual, [...complained, ...mended(1, b), round(2, c)], five],
  ['where HEAD moved without a fix', usual, moved, five],
  ['after a fix in the only stage', ['first'], after, five],
  ['after a fix in the last stage that is not optional', ['first', external], after, five],
])('%s', (_, names, facts, wanted) => {
  const stages = readStages(names as Parameters<typeof readStages>[0]);
  const [first] = stages;
  const rounds = reviewOf(facts).stages.get('first')?.rounds ?? [];
  expect(first && dueReviewers(first, rounds, { stages })).toEqual(wanted);
});

type Known = [string, readonly unknown[], Readonly<{ head?: string; base?: string }>, string[]];
test.each<Known>([
  ['who found nothing in this commit', usual, {}, ['quality', 'implementation']],
  ['nobody, in another commit', usual, { head: b }, []],
  ['nobody, from another base', usual, { base: c }, []],
  ['nobody who complained', ['first', testing], {}, []],
  ['nobody of another agent', ['first', { ...quality, agent: 'codex' }], {}, []],
  ['nobody of another model', ['first', { ...quality, model: 'opus' }], {}, []],
  ['no script', ['first', { name: 'final', script: './review.sh' }], {}, []],
])('answers that are known: %s', (_, names, { head = a, base: from = base }, wanted) => {
  const stages = readStages(names as Parameters<typeof readStages>[0]);
  const stage = stages[1];
  const known = stage && knownAnswers(reviewOf(complained), { stage, head }, { stages, base: from });
  expect([...(known ?? new Map()).keys()]).toEqual(wanted);
});
