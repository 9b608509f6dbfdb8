// What was asked from another machine is done with the fact right after its intervention, and known as such after a kill.
import { expect, test } from 'vitest';
import { foldRequests, isAnswered, noRequests } from '../../src/journal/fold-requests.ts';
import { sampleFacts } from '../helpers/facts.ts';

const stamp = { v: 1, at: '2026-11-21T22:45:00.000Z' };
const asked = { ...sampleFacts.intervention, request: 'r', ...stamp };
const fold = (...facts: readonly Parameters<typeof foldRequests>[1][]) =>
  facts.reduce(foldRequests, noRequests);

test.each([
  ['its word', [asked, { ...sampleFacts['pause-asked'], ...stamp }], true],
  ['nothing: it was cut off', [asked], false],
  [
    'another life, whose first word is somebody else’s',
    [asked, { ...sampleFacts['run-resumed'], ...stamp }, { ...sampleFacts['budgets-set'], ...stamp }],
    false,
  ],
] as const)('after the intervention comes %s', (_, facts, isDone) => {
  const requests = fold(...facts);
  expect(requests.done.has('r')).toBe(isDone);
  expect(isAnswered(requests, 'r')).toBe(false);
  const answer = { ...sampleFacts['request-answered'], request: 'r', ...stamp };
  expect(isAnswered(foldRequests(requests, answer), 'r')).toBe(true);
});
