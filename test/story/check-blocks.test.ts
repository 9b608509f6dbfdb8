// Checks of several lines in a fenced block: lines that stand by themselves begin in the same folder, and the red one is
// named to the agent.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, onTask } from '../helpers/letters.ts';
import { makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';

const plan = `# Plan: Blocks

## Validation Commands
\`\`\`sh
cd bot && test -e here
cd bot && test ! -e ../a.txt -o -e done
\`\`\`

### Task 1: Write a
- check: \`grep -qx a a.txt\`
- [ ] Write a to a.txt
`;

const forgets: Step = { bash: 'echo a > a.txt' };
const mends: Step = { bash: 'echo > bot/done' };

test('each line begins in the same folder, and what the agent is told names the red one', async () => {
  await using scene = await makeNight({
    plan,
    files: { 'bot/here': '' },
    turns: [
      onTask('a', [forgets, done], true),
      { when: 'line 2 of this check ended with exit code 1', steps: [mends, done] },
    ],
  });
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toContain('1 proven');
  // Green before the work, red after the first turn, green after what the agent was told.
  const red = factsOf(ended, 'check-ended').filter(
    ({ result, check }) => result === 'red' && check === 'plan:1',
  );
  expect(red).toHaveLength(1);
});
