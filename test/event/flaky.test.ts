import { expect, test } from 'vitest';
import { foldFlakiness, noneFlaky } from '../../src/event/flaky.ts';
import type { Fact } from '../../src/event.ts';
import { fact } from '../helpers/facts.ts';

const tree = (name: string) => fact('tree-written', { tree: name });
const check = (result: 'red' | 'green' | 'timed-out', change = {}) =>
  fact('check-ended', { check: 'c', command: 'npm test', when: 'after', result, knownRed: false, ...change });

test.each<[string, readonly Fact[], readonly string[]]>([
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
])('%s', (_name, facts, flaky) => {
  expect(facts.reduce(foldFlakiness, noneFlaky).flaky).toEqual(flaky);
});
