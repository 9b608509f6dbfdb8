import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest } from '../src/nearest.ts';

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', '', 3],
  ['abc', 'abd', 1],
  ['abc', 'acb', 1],
  ['abc', 'xabc', 1],
  ['kitten', 'sitting', 3],
  ['chekc', 'check', 1],
])('editDistance %s %s', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
});

test('editDistance is the same both ways and at most the longer length', () => {
  const word = fc.string({ maxLength: 12 });
  const holds = fc.property(word, word, (one, other) => {
    expect(editDistance(one, other)).toBe(editDistance(other, one));
    expect(editDistance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
  });
  fc.assert(holds);
});

test.each([
  ['efort', ['model', 'effort'], 'effort'],
  ['banch', ['baseline', 'branch'], 'branch'],
  ['agent.claud.comand', ['branch', 'agent.claude.command'], 'agent.claude.command'],
  ['', ['strict', 'a'], undefined],
  ['MAXCOST', ['maxCost', 'maxTime'], 'maxCost'],
  ['reviewer', ['review', 'replan'], 'review'],
  ['clocks', ['model', 'effort'], undefined],
  ['x', ['y', 'z'], undefined],
  ['10a', ['1', '10', '100'], '10'],
  ['a', [], undefined],
  ['bb', ['w1'], undefined],
  ['ab', ['b1', 'abc'], 'abc'],
  ['b', ['w1'], undefined],
])('nearest to %s', (word, candidates, found) => {
  expect(nearest(word, candidates)).toBe(found);
});
