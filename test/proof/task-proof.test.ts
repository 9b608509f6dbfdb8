// Which of the three words a task's checks earn: a row for each rule.
import { expect, test } from 'vitest';
import { type Experiments, judgeProof, type ProofSeen, type TaskProof } from '../../src/proof/task-proof.ts';

const experiments = (over: Partial<Experiments> = {}): Experiments => ({
  clean: 'green',
  configs: [],
  redefined: [],
  deaf: [],
  pinsText: false,
  withoutWork: 'red',
  indifferent: [],
  hunks: {
    lines: 3,
    provenLines: 3,
    unproven: [],
    onlyRemoving: 0,
    withoutCode: 0,
    untried: 0,
  },
  runs: 3,
  durationMs: 900,
  ...over,
});

const none = { config: () => false, redefines: () => false, isRefactoring: false };
const seen = (over: Partial<ProofSeen> = {}): ProofSeen => ({
  ran: 1,
  turnedGreen: false,
  unproved: [],
  counts: [],
  leave: none,
  ...over,
});
const bent = [{ file: 'test/a.test.ts', from: 81, to: 81 }];

test.each<[string, ProofSeen, TaskProof['word'], RegExp]>([
  ['no check', seen({ ran: 0 }), 'unchecked', /no check ran/],
  ['green all along', seen(), 'passed', /no check of its own/],
  ['an own check turned green', seen({ turnedGreen: true }), 'proven', /red before the work/],
  ['red without the work', seen({ experiments: experiments() }), 'proven', /red without the work/],
  [
    'green without the work',
    seen({ experiments: experiments({ withoutWork: 'green' }) }),
    'passed',
    /nothing misses/,
  ],
  [
    'green without the work, but an own check was red before',
    seen({ turnedGreen: true, experiments: experiments({ withoutWork: 'green' }) }),
    'passed',
    /nothing misses/,
  ],
  [
    'a new test alone, though an own check was red before',
    seen({ turnedGreen: true, experiments: experiments({ withoutWork: 'tests-alone' }) }),
    'passed',
    /only tests are new/,
  ],
  [
    'tests that only load the work',
    seen({ turnedGreen: true, experiments: experiments({ withoutWork: 'load-only' }) }),
    'passed',
    /only load/,
  ],
  [
    'no test ran',
    seen({ turnedGreen: true, counts: ['`npm test` ran no test'] }),
    'unchecked',
    /ran no test/,
  ],
  [
    'a definition changed',
    seen({ turnedGreen: true, unproved: ['test.sh was changed'] }),
    'unchecked',
    /test\.sh/,
  ],
  [
    'red in a clean ground',
    seen({ turnedGreen: true, experiments: experiments({ clean: 'red' }) }),
    'unchecked',
    /clean/,
  ],
  [
    'green by a config',
    seen({ turnedGreen: true, experiments: experiments({ configs: ['.pytest.ini'] }) }),
    'unchecked',
    /\.pytest\.ini/,
  ],
  [
    'green by a config, with leave',
    seen({
      turnedGreen: true,
      experiments: experiments({ configs: ['a.ini'] }),
      leave: { ...none, config: () => true },
    }),
    'proven',
    /red before/,
  ],
  [
    'an old test bent',
    seen({ turnedGreen: true, experiments: experiments({ redefined: bent }) }),
    'passed',
    /a\.test\.ts:81/,
  ],
  [
    'an old test redefined with leave',
    seen({ experiments: experiments({ redefined: bent }), leave: { ...none, redefines: () => true } }),
    'proven',
    /without the work/,
  ],
  [
    'a test that decides nothing',
    seen({ turnedGreen: true, experiments: experiments({ deaf: ['t.js'] }) }),
    'passed',
    /t\.js decides nothing/,
  ],
  [
    'a test of the text',
    seen({ turnedGreen: true, experiments: experiments({ pinsText: true }) }),
    'passed',
    /comment/,
  ],
  ['flaky', seen({ experiments: experiments({ clean: 'flaky' }) }), 'passed', /flaky/],
  [
    'a refactoring',
    seen({ experiments: experiments({ withoutWork: 'green' }), leave: { ...none, isRefactoring: true } }),
    'proven',
    /refactors/,
  ],
  [
    'not tried',
    seen({ experiments: experiments({ clean: 'not-tried', withoutWork: 'not-tried' }) }),
    'passed',
    /no check of its own/,
  ],
])('%s', (_, given, word, why) => {
  const proof = judgeProof(given);
  expect(proof.word).toBe(word);
  expect(proof.reasons.join('; ')).toMatch(why);
});
