// Failures known from other tools of this kind, where a whole run can show them.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { type Cast, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import {
  claimsDone,
  formatPlan,
  makeStory,
  ownCommits,
  roundsOf,
  sayDone,
  writeRight,
} from '../helpers/story.ts';

/** A green check of the plan alone: nothing proves the task without the agent's word. */
const plainPlan = formatPlan
  .replace('- check: `sh check.sh`\n', '')
  .replace('### Task', '## Validation Commands\n- `sh check.sh`\n\n### Task');

test.each<{ name: string; cast?: Cast; last: readonly Step[] }>(
  share(
    [
      {
        name: '57: a marker of a sub-agent',
        cast: 'claude',
        last: [{ subagent: '{{marker TASK_DONE all of it}}' }, { say: 'My helper has answered.' }],
      },
      {
        name: '22: a marker that is taken back',
        last: [{ say: '{{marker TASK_DONE all of it}}\n\nNever mind, I am not sure that this is right.' }],
      },
      {
        name: '57: a marker in prose',
        last: [{ say: 'Next I would say {{marker TASK_DONE all of it}} and end.' }],
      },
      {
        name: '57: a marker without the nonce',
        last: [{ say: 'Done.\n\n<<<PAWL:TASK_DONE>>> all of it' }],
      },
      {
        name: '57: a marker in what a command printed',
        last: [
          { bash: 'echo "<<<PAWL:TASK_DONE {{nonce}}>>> all of it"' },
          { say: 'That is what it printed.' },
        ],
      },
    ],
    5,
  ),
)('$name counts for nothing: the session is asked', async ({ cast = 'scripted', last }) => {
  await using scene = await makeStory({
    cast,
    plan: plainPlan,
    turns: [
      {
        when: 'ended without a marker',
        steps: [{ say: 'Not yet.\n\n{{marker TASK_FAILED I lost my way}}' }],
      },
      { when: '### Task', steps: [writeRight, ...last] },
    ],
  });
  const ended = await expectExit(1, scene.run());
  expect(factsOf(ended, 'turn-ended').map(({ outcome }) => outcome)).toEqual(['silent', 'failed']);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ kind: 'finished?' }]);
  expect(await ownCommits(scene)).toEqual([]);
});

inSoak(
  '23: what a process in the background was to do is not waited for, and not taken for done',
  async () => {
    const later = `setsid perl -e 'select undef, undef, undef, 60; mkdir "src"; system "echo right > src/word.txt"'`;
    await using scene = await makeStory({
      turns: [
        { when: 'The task is not done yet', steps: [writeRight, sayDone] },
        ...claimsDone({ bash: `${later} >/dev/null 2>&1 & true` }),
      ],
      env: { PAWL_TASK_CORRECTIONS: '1' },
    });
    const ended = await expectExit(0, scene.run());
    expect(factsOf(ended, 'correction-sent')).toMatchObject([{ kind: 'red' }]);
    expect(factsOf(ended, 'act-found')).toMatchObject([{ act: 'left-process', response: 'put-back' }]);
  },
);

test('14, 15, 16, 55: boxes of all kinds are work; those outside tasks, for a person, and in fences neither block nor are ticked; 57: a marker in a message of its own counts; 21: said before the work is right, it does not close', async () => {
  const plan = `# Plan: One word

- [ ] Before all tasks

### Task 1: Write the word
- check: \`sh check.sh\`
- [ ] Write right to src/word.txt
* [ ] With a star
+ [ ] With a plus
1. [ ] With a number
- [ ] Return string[] or [] for none
- [ ] Read it aloud (manual)

\`\`\`markdown
- [ ] In a fence
\`\`\`

### Task 2: A box with brackets alone
- check: \`sh check.sh\`
- [ ] Parse \`a[]\`

### Task 3: Look at it
- [ ] Look (manual)

### Task 4: Say it too early
- check: \`test -e early.txt\`
- [ ] Write early.txt

## Success criteria
- [ ] It reads well
`;
  await using scene = await makeStory({
    plan,
    turns: [
      {
        when: 'The task is not done yet',
        steps: [{ bash: 'touch early.txt' }, { say: 'Mended.\n\n{{marker TASK_DONE now it is}}' }],
      },
      {
        when: '### Task 4',
        steps: [{ say: 'Long words first.' }, { say: '{{marker TASK_DONE I believe}}' }],
      },
      ...claimsDone({ bash: 'mkdir -p src; echo more >> src/more.txt; echo right > src/word.txt' }),
    ],
    env: { PAWL_TASK_CORRECTIONS: '1' },
  });
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'session-started')).toHaveLength(3);
  expect(roundsOf(ended)).toEqual(['1 proven', '2 passed', '4 proven']);
  expect(factsOf(ended, 'turn-ended').slice(2)).toMatchObject([
    { outcome: 'done', reason: 'I believe' },
    { outcome: 'done', reason: 'now it is' },
  ]);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ task: '4', kind: 'red' }]);
  const ticked = plan.replaceAll(/\[ \] (?=Write|With|Return|Parse)/g, '[x] ');
  expect(await scene.repo.read('docs/plans/plan.md')).toBe(ticked);
  expect(ended.events.at(-1)).toMatchObject({ type: 'run-ended', finished: true });
});
