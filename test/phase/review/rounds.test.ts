// A stage whose findings come from outside.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { foldIntoReview, noReview } from '../../../src/journal/fold-review.ts';
import { endStage } from '../../../src/phase/review/rounds.ts';
import type { Place } from '../../../src/place/place.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

test('an end is journaled once, and again if a later look comes to another', () => {
  const facts: Fact[] = [fact('stage-started', { stage: 'ci' })];
  const emit = (one: Fact) => facts.push(one);
  const state = () => ({ review: stampAll(facts).reduce(foldIntoReview, noReview) });
  const place = { run: { emit, state } } as unknown as Place;
  for (const end of ['open', 'open', 'clean', 'clean'] as const) endStage(place, 'ci', { end, reason: end });
  expect(facts.slice(1).map((one) => one.type === 'stage' && one.state === 'ended' && one.end)).toEqual([
    'open',
    'clean',
  ]);
});
