// Review stages: shipped names, own definitions, and what is wrong with them.
import { describe, expect, test } from 'vitest';
import {
  estimateSessions,
  fillNamed,
  pickStages,
  readStages,
  reviewSchema,
  usualStages,
} from '../../src/config/stages.ts';

const names = (stages: ReturnType<typeof readStages>) => stages.map(({ name }) => name);

test('reviews by default, and not with none', () => {
  expect(reviewSchema.parse({}).stages).toEqual(['first', 'final']);
  expect(fillNamed(['none'], [])).toEqual([]);
});

test('sessions are estimated', () =>
  expect(estimateSessions(readStages(usualStages))).toEqual({ quiet: 5, withFixes: 12 }));

describe('stages', () => {
  test('shipped are first, external, final', () => {
    const stages = readStages(['first', 'external', 'final']);
    expect(names(stages)).toEqual(['first', 'external', 'final']);
    expect(stages[1]).toMatchObject({ agent: 'codex', optional: true, rounds: 5 });
    expect(stages[2]).toMatchObject({ reviewers: ['quality', 'implementation'] });
  });

  test.each<[unknown[], string[] | undefined, object[]]>([
    [
      [{ name: 'a', reviewers: ['quality'], rounds: 2 }],
      undefined,
      [{ name: 'a', rounds: 2, optional: false }],
    ],
    [[{ name: 'a', script: './r.sh' }], undefined, [{ reviewers: ['script'], script: './r.sh' }]],
    [[{ name: 'a', reviewers: ['quality', 'quality'] }], undefined, [{ reviewers: ['quality'] }]],
    [[], undefined, []],
    // In the order in which they are named.
    [
      ['first', 'final'],
      ['final', 'first'],
      [{ name: 'final' }, { name: 'first' }],
    ],
    [[], ['final'], [{ name: 'final' }]],
    [[{ name: 'final', reviewers: ['security'] }], ['final'], [{ reviewers: ['security'] }]],
  ])('of %j by the names %j', (configured, named, wanted) => {
    const all = readStages(reviewSchema.parse({ stages: configured }).stages);
    const stages = named ? pickStages(all, named) : all;
    expect(stages).toMatchObject(wanted);
    expect(stages).toHaveLength(wanted.length);
  });

  test.each<[string, () => unknown, RegExp]>([
    ['an unknown name', () => readStages(['fist']), /no review stage fist/],
    ['an unknown name asked for', () => pickStages([], ['fist']), /no review stage fist/],
    ['two of one name', () => readStages(['first', 'first']), /two review stages first/],
    ['nobody to review', () => readStages([{ name: 'x' }]), /x has no reviewers/],
  ])('not: %s', (_, read, says) => {
    expect(read).toThrow(says);
  });
});

test.each([
  [{ name: 'x', minSeverity: 'major' }],
  [{ name: 'x', colour: 1 }],
  [{ name: 'Big Words' }],
  [{ name: 'ci', script: './r.sh' }],
])('no stage: %j', (stage) => {
  expect(reviewSchema.safeParse({ stages: [stage] }).success).toBe(false);
});
