import { expect, test } from 'vitest';
import { nearest } from '../src/nearest.ts';

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
