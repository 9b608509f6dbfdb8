// What closes a task without a check's proof, and what a session's last words are worth: each ending is reported as what
// it is, and none of them counts as green.
import { expect, test } from 'vitest';
import { asidesOf, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import {
  claimsDone,
  formatPlan,
  makeStory,
  readRun,
  roundsOf,
  sayDone,
  writeRight,
} from '../helpers/story.ts';

const noChecks = formatPlan.replace('- check: `sh check.sh`\n', '');

test('no marker, all boxes ticked: asked once in the same session, then it counts as finished (56)', async () => {
  const tick = { bash: "sed -i 's/- \\[ \\]/- [x]/' docs/plans/plan.md" };
  await using scene = await makeStory({
    // A plan check, so that no check of the task's own proves it without the agent's word.
    plan: noChecks.replace('### Task', '## Validation Commands\n- `sh check.sh`\n\n### Task'),
    turns: [
      { when: 'ended without a marker', steps: [{ say: 'Yes, all of it.' }] },
      { when: '### Task', steps: [writeRight, tick, { say: 'The word is written.' }] },
    ],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'session-started')).toHaveLength(1);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ session: 1, kind: 'finished?' }]);
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'passed', reason: expect.stringContaining('never said that it was finished') },
  ]);
});

test.each(
  share(
    [
      { args: [], exit: 4 },
      { args: ['--require', 'unchecked'], exit: 0 },
    ],
    2,
  ),
)('a plan without any check closes unchecked, exit $exit with $args', async ({ args, exit }) => {
  await using scene = await makeStory({ plan: noChecks, turns: claimsDone(writeRight) });
  const ended = await scene.run(...args);
  expect(ended.exit, tell(ended)).toBe(exit);
  expect(roundsOf(ended)).toEqual(['1 unchecked']);
  expect(await scene.repo.git('log', '-1', '--format=%(trailers:key=Pawl-Checks,valueonly)')).toBe(
    'unchecked\n',
  );
  expect((await readRun(scene)).split('\n').find((line) => line !== '')).toMatch(/UNCHECKED: Task 1/);
  expect(ended.events.at(-1)).toMatchObject({ type: 'run-ended', finished: true });
});

inSoak('a check that is red and excused proves nothing: alone it closes unchecked', async () => {
  const plan = noChecks.replace('### Task', '## Validation Commands\n- `false` (known red)\n\n### Task');
  await using scene = await makeStory({ plan, turns: claimsDone(writeRight) });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'unchecked', reason: 'its only checks are excused as known red' },
  ]);
});

test('already done: passed by a green check of the task’s own, else unchecked; done and nothing changed: asked once, then no close', async () => {
  const already = '{{marker ALREADY_DONE it was there before}}';
  await using scene = await makeStory({
    files: { 'src/word.txt': 'right\n' },
    plan: `${formatPlan}
### Task 2: Write another
- [ ] Write something nobody checks

### Task 3: Write it again
- check: \`sh check.sh\`
- [ ] Write right to src/word.txt
`,
    turns: [
      { when: 'no file has changed', steps: [sayDone] },
      { when: '### Task 3', steps: [sayDone] },
      { when: '### Task', steps: [{ say: `Nothing is left to do.\n\n${already}` }] },
    ],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(roundsOf(ended)).toEqual(['1 passed', '2 unchecked', '3 fail']);
  expect(factsOf(ended, 'session-started')).toHaveLength(3);
  const vacuous = factsOf(ended, 'task-started').map((started) => started.vacuous);
  expect(vacuous).toEqual([['task:1:1'], [], ['task:3:1']]);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ session: 3, kind: 'nothing-changed' }]);
  const receipt = await readRun(scene);
  expect(receipt).toMatch(/UNCHECKED: Task 2/);
  expect(receipt).toContain('was green before the work');
  expect(receipt).toContain('nothing had to be changed: it was there before');
  expect(receipt).toContain('nothing was changed');
});

inSoak('a session that gives up fails the attempt with its reason', async () => {
  const steps = [{ bash: 'mkdir src' }, { say: 'I cannot.\n\n{{marker TASK_FAILED there is no ink}}' }];
  await using scene = await makeStory({ turns: [{ when: '### Task', steps }] });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(factsOf(ended, 'turn-ended')).toMatchObject([{ outcome: 'failed' }]);
  expect(asidesOf(ended, 'failed')).toMatchObject([{ reason: 'the agent gave up: there is no ink' }]);
  expect(await readRun(scene)).toContain('there is no ink');
});
