// A secret of the environment that an agent repeats in its last words goes into no commit.
import { expect, test } from 'vitest';
import { onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { tell } from '../helpers/pawl.ts';

test('the body of the commit has the name of the secret, not its value', async () => {
  const says = { say: 'I used hunter2hunter2.\n\n{{marker TASK_DONE}}' };
  await using scene = await makeNight({
    turns: [onTask('a', [write('a'), says]), onTask('b', [write('b'), says])],
    env: { SOME_TOKEN: 'hunter2hunter2' },
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  const messages = await scene.repo.git('log', '--format=%B');
  expect(messages).toContain('I used [SOME_TOKEN].');
  expect(messages).not.toContain('hunter2');
});
