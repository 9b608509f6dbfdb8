import { expect, test } from 'vitest';
import type { Fact, OfLane } from '../../src/event.ts';
import { foldFlakiness, noneFlaky } from '../../src/journal/fold-checks.ts';
import { fact } from '../helpers/facts.ts';

const tree = (name: string) => fact('tree-written', { tree: name });
const check = (result: 'red' | 'green' | 'timed-out', change = {}) =>
  fact('check-ended', { check: 'c', command: 'npm test', when: 'after', result, knownRed: false, ...change });

const inLane = (lane: number, one: Fact): Fact & OfLane => ({ ...one, lane });

test.each<[string, readonly (Fact & OfLane)[], readonly string[]]>([
  ['nothing', [], []],
  ['red, then green, on one tree', [tree('a'), check('red'), check('green')], ['npm test']],
  ['the same tree, written again', [tree('a'), check('red'), tree('a'), check('green')], ['npm test']],
  ['another tree between', [tree('a'), check('red'), tree('b'), check('green')], []],
  ['another tree, and back', [tree('a'), check('red'), tree('b'), tree('a'), check('green')], []],
  ['green, then red', [tree('a'), check('green'), check('red')], []],
  ['another check', [tree('a'), check('red'), check('green', { check: 'd' })], []],
  ['a time-out', [tree('a'), check('timed-out'), check('green')], []],
  ['known to be red', [tree('a'), check('red', { knownRed: true }), check('green')], []],
  ['before the work', [tree('a'), check('red', { when: 'before' }), check('green')], []],
  ['again and again', [tree('a'), check('red'), check('green'), check('red'), check('green')], ['npm test']],
  [
    'another lane between, with another tree',
    [inLane(1, tree('a')), inLane(1, check('red')), inLane(2, tree('b')), inLane(1, check('green'))],
    ['npm test'],
  ],
  [
    'red in one lane, green in another',
    [inLane(1, tree('a')), inLane(2, tree('b')), inLane(1, check('red')), inLane(2, check('green'))],
    [],
  ],
])('%s', (_name, facts, flaky) => {
  expect(facts.reduce(foldFlakiness, noneFlaky).flaky).toEqual(flaky);
});
