// Work that git ignores: checks see it in the working tree, and no commit would have it. It never passes for work that is
// in the commit, and the session that wrote it is told once.
import { expect, test } from 'vitest';
import type { Step } from '../../src/demo/script.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { casts, makeStory, readRun } from '../helpers/story.ts';

const plan = `# Plan: Libraries

### Task 1: One that is delivered
- check: \`grep -qx right lib/one.txt\`
- [ ] Write right to lib/one.txt

### Task 2: One that stays on this machine
- check: \`grep -qx right local/two.txt\`
- [ ] Write right to local/two.txt
`;

const write = (file: string): Step => ({ write: { file, content: 'right\n', isNew: true } });
const say = (marker: string): Step => ({ say: `So.\n\n{{marker ${marker}}}` });

test.each(casts)('%s: what git ignores is no work, until the rule is changed', async (cast) => {
  await using scene = await makeStory({
    cast,
    plan,
    files: { '.gitignore': 'lib/\nlocal/\n' },
    turns: [
      {
        when: 'work of task 1',
        steps: [{ bash: 'echo local/ > .gitignore' }, say('TASK_DONE wrote it')],
      },
      { when: 'work of task 2', steps: [say('ALREADY_DONE it is for this machine')] },
      { when: '### Task 1', steps: [write('lib/one.txt'), say('TASK_DONE wrote it')] },
      { when: '### Task 2', steps: [write('local/two.txt'), say('TASK_DONE wrote it')] },
    ],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'correction-sent').map(({ task, kind }) => `${task} ${kind}`)).toEqual([
    '1 ignored',
    '2 ignored',
  ]);
  expect(factsOf(ended, 'task-closed').map(({ task, proof }) => `${task} ${proof}`)).toEqual([
    '1 checked',
    '2 unchecked',
  ]);
  expect(await scene.repo.git('ls-tree', '-r', '--name-only', 'HEAD', 'lib', 'local')).toBe('lib/one.txt');
  expect(await readRun(scene)).toContain('local/two.txt');
});
