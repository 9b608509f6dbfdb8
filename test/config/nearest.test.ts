import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const words = ['strict', 'branch', 'baseline', 'agent.claude.command'];

test.each([
  ['strct', 'strict'],
  ['STRICT', 'strict'],
  ['banch', 'branch'],
  ['agent.claude.comand', 'agent.claude.command'],
  ['agent.claud.comand', 'agent.claude.command'],
  ['zebra', undefined],
  ['', undefined],
])('%j means %j', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});
