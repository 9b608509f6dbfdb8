// What reviewers are told to read first.
import { expect, test } from 'vitest';
import { listUnproven } from '../../src/proof/list-unproven.ts';
import { sampleFacts } from '../helpers/facts.ts';

test('bent tests, tests that decide nothing, and lines that no test misses; each once', () => {
  const judged = sampleFacts['proof-judged'];
  const { experiments } = judged;
  if (!experiments) throw new Error('the sample has experiments');
  const more = {
    ...judged,
    experiments: {
      ...experiments,
      redefined: [{ file: 't.js', from: 3, to: 4 }],
      deaf: ['u.js'],
      indifferent: ['v.js'],
    },
  };
  const notes = listUnproven({
    tasks: new Map([
      ['1', { judged }],
      ['2', { judged: more }],
      ['3', {}],
    ]),
  });
  expect(notes.map((note) => note.split(': ')[0])).toEqual(['src/auth.ts:40-41', 't.js:3', 'u.js', 'v.js']);
});
