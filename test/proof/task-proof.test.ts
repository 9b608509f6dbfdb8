// Which of the three words a task's checks earn: a row for each rule.
import { expect, test } from 'vitest';
import {
  type Experiments,
  judgeProof,
  listUnproven,
  type ProofSeen,
  type TaskProof,
} from '../../src/proof/task-proof.ts';
import { sampleFacts } from '../helpers/facts.ts';

const experiments = (over: Partial<Experiments> = {}): Experiments => ({
  clean: 'green',
  configs: [],
  redefined: [],
  deaf: [],
  pinsText: false,
  withoutWork: 'red',
  indifferent: [],
  hunks: { lines: 3, provenLines: 3, unproven: [], onlyRemoving: 0, withoutCode: 0, untried: 0 },
  runs: 3,
  durationMs: 900,
  ...over,
});

const none = { config: () => false, redefines: () => false, isRefactoring: false };
const green: ProofSeen = { ran: 1, turnedGreen: false, unproved: [], leave: none };
const bent = [{ file: 'test/a.test.ts', from: 81, to: 81 }];
const all = { config: () => true, redefines: () => true, isRefactoring: true };

/** What the experiments showed; `turned`: beside an own check that was red before. */
test.each<[string, Partial<Experiments> & { turned?: true; leave?: true }, TaskProof['word'], RegExp]>([
  ['red without the work', {}, 'proven', /red without the work/],
  ['green without the work', { withoutWork: 'green' }, 'passed', /nothing misses/],
  ['the same, own check', { turned: true, withoutWork: 'green' }, 'passed', /nothing misses/],
  ['a new test alone', { turned: true, withoutWork: 'tests-alone' }, 'passed', /only tests are new/],
  ['tests that only load', { turned: true, withoutWork: 'load-only' }, 'passed', /only load/],
  ['red in a clean ground', { turned: true, clean: 'red' }, 'unchecked', /clean/],
  ['green by a config', { turned: true, configs: ['.pytest.ini'] }, 'unchecked', /\.pytest\.ini/],
  ['the same, with leave', { turned: true, configs: ['a.ini'], leave: true }, 'proven', /red before/],
  ['an old test bent', { turned: true, redefined: bent }, 'passed', /a\.test\.ts:81/],
  ['redefined with leave', { redefined: bent, leave: true }, 'proven', /without the work/],
  ['a test that decides nothing', { turned: true, deaf: ['t.js'] }, 'passed', /t\.js decides nothing/],
  ['a test of the text', { turned: true, pinsText: true }, 'passed', /comment/],
  ['flaky', { turned: true, clean: 'flaky' }, 'passed', /flaky/],
  ['a refactoring', { withoutWork: 'green', leave: true }, 'proven', /refactors/],
  ['not tried', { clean: 'not-tried', withoutWork: 'not-tried' }, 'passed', /no check of its own/],
])('%s', (_, { turned = false, leave, ...over }, word, why) => {
  const seen = { ...green, turnedGreen: turned, experiments: experiments(over), leave: leave ? all : none };
  expect(judgeProof(seen)).toMatchObject({ word, reasons: [expect.stringMatching(why)] });
});

test.each<[string, Partial<ProofSeen>, TaskProof['word'], RegExp]>([
  ['no check', { ran: 0 }, 'unchecked', /no check ran/],
  ['green all along', {}, 'passed', /no check of its own/],
  ['an own check turned green', { turnedGreen: true }, 'proven', /red before the work/],
  ['it could not be tried', { turnedGreen: true, untried: 'no ground' }, 'passed', /no ground/],
  ['no test ran', { turnedGreen: true, unproved: ['`npm test` ran no test'] }, 'unchecked', /ran no test/],
  ['a definition', { turnedGreen: true, unproved: ['test.sh was changed'] }, 'unchecked', /test\.sh/],
])('without experiments: %s', (_, over, word, why) => {
  expect(judgeProof({ ...green, ...over })).toMatchObject({ word, reasons: [expect.stringMatching(why)] });
});

test('reviewers read first: bent tests, tests that decide nothing, lines that no test misses; each once', () => {
  const judged = sampleFacts['proof-judged'];
  const more = {
    ...judged,
    experiments: experiments({ redefined: bent, deaf: ['u.js'], indifferent: ['v.js'] }),
  };
  const notes = listUnproven([judged, more]).map((note) => note.split(': ')[0]);
  expect(notes).toEqual(['src/auth.ts:40-41', 'test/a.test.ts:81', 'u.js', 'v.js']);
});
