// What green checks are worth: tests that never ran, bent tests, tests that cannot fail, and work that no test misses. Each
// closes with the word it earned.
import { expect, test } from 'vitest';
import { factsOf, tell } from '../helpers/pawl.ts';
import { claimsDone, makeStory, sayDone } from '../helpers/story.ts';

/** A plan of one task that adds `add` to the module; its only checks are the plan's. */
const addPlan = (check: string, extra = '') => `# Plan: Numbers

## Validation Commands
- \`${check}\`

### Task 1: Add numbers
${extra}- [ ] Write add, with a test
`;

test.each([
  ['unittest', 'python3 -m unittest discover -s tests', { 'tests/__init__.py': '' }],
  ['node:test', 'node --test --test-reporter=spec "test/**/*.test.mjs"', { 'test/README.md': 'tests\n' }],
  ['a runner that skips all', 'echo "===== 2 skipped in 0.01s ====="', {}],
])('no test ran (%s): asked about once, then unchecked with the counts', async (_, check, files) => {
  await using scene = await makeStory({
    plan: addPlan(check),
    files,
    turns: [
      { when: 'may prove nothing', steps: [sayDone] },
      ...claimsDone({ bash: 'echo "add = 1" > numbers.py' }),
    ],
  });
  const ended = await scene.run();
  expect(factsOf(ended, 'correction-sent'), tell(ended)).toMatchObject([
    { kind: 'runner', reason: expect.stringMatching(/ran no test|no test passed/) },
  ]);
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'unchecked', reason: expect.stringMatching(/ran no test|no test passed/) },
  ]);
  expect(ended.exit).toBe(4);
});
