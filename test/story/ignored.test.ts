// Work that git ignores: checks see it in the working tree, and no commit would have it. It never passes for work that is
// in the commit, and the session that wrote it is told once.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { makeStory, readRun } from '../helpers/story.ts';

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

test('what git ignores is no work, until the rule is changed; a person’s `.env` that a session removes comes back', async () => {
  await using scene = await makeStory({
    plan,
    files: { '.gitignore': 'lib/\nlocal/\n.env\n' },
    turns: [
      {
        when: 'work of task 1',
        steps: [{ bash: 'sed -i /lib/d .gitignore' }, say('TASK_DONE wrote it')],
      },
      { when: 'work of task 2', steps: [say('ALREADY_DONE it is for this machine')] },
      {
        when: '### Task 1',
        steps: [{ bash: 'git clean -fdxq' }, write('lib/one.txt'), say('TASK_DONE wrote it')],
      },
      { when: '### Task 2', steps: [write('local/two.txt'), say('TASK_DONE wrote it')] },
    ],
  });
  await scene.repo.write('.env', 'mine\n');
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'correction-sent').map(({ task, kind }) => `${task} ${kind}`)).toEqual([
    '1 ignored',
    '2 ignored',
  ]);
  expect(factsOf(ended, 'task-closed').map(({ task, proof }) => `${task} ${proof}`)).toEqual([
    '1 proven',
    '2 unchecked',
  ]);
  expect(await scene.repo.git('ls-tree', '-r', '--name-only', 'HEAD', 'lib', 'local')).toBe('lib/one.txt');
  const acts = factsOf(ended, 'act-found').map(
    ({ response, detail }) => `${response} ${detail.split(';')[0]}`,
  );
  expect(acts).toEqual(['put-back .env']);
  expect(await readRun(scene)).toContain('local/two.txt');
});

test.each(
  share(
    [
      ['in a folder', 'echo src/ > .gitignore; mkdir src; echo right > src/word.txt; echo 1 > other.txt'],
      [
        'by the file that core.excludesFile is by default',
        'mkdir -p ~/.config/git src; echo word.txt > ~/.config/git/ignore; echo right > src/word.txt; echo 1 > other.txt',
      ],
    ],
    2,
  ),
)('work that a new rule hides proves nothing: %s', async (_, act) => {
  await using scene = await makeStory({
    plan: '# Plan: One word\n\n### Task 1: Write the word\n- check: `grep -qx right src/word.txt`\n- [ ] Write right\n',
    turns: [{ when: '### Task 1', steps: [{ bash: act }, say('TASK_DONE wrote it')] }],
    env: { PAWL_VERIFY: 'fresh', PAWL_PROVE: 'report' },
  });
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'proof-judged').map(({ word }) => word)).toEqual(['unchecked']);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([
    { result: 'red', beside: [expect.stringMatching(/^src\//)] },
  ]);
});
