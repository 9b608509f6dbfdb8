// Work that git ignores: checks see it in the working tree, and no commit would have it. It never passes for work that is
// in the commit, and the session that wrote it is told once.
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
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
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
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

describe('work that a new rule hides', () => {
  const rows: readonly Readonly<{
    name: string;
    act: string;
    /** What the session does when it is asked. */
    asked?: Step;
    hidden: readonly string[];
    proof: 'proven' | 'unchecked';
    check?: string;
  }>[] = [
    {
      name: 'in a folder',
      act: 'echo src/ > .gitignore; mkdir src; echo right > src/word.txt; echo 1 > other.txt',
      hidden: ['src/word.txt'],
      proof: 'unchecked',
    },
    {
      name: 'by a rule that hides itself',
      act: "mkdir src; echo '*' > src/.gitignore; echo right > src/word.txt; echo 1 > other.txt",
      hidden: ['src/.gitignore', 'src/word.txt'],
      proof: 'unchecked',
    },
    {
      name: 'by the file that core.excludesFile is by default',
      act: 'mkdir -p ~/.config/git src; echo word.txt > ~/.config/git/ignore; echo right > src/word.txt; echo 1 > other.txt',
      hidden: ['src/word.txt'],
      proof: 'unchecked',
    },
    {
      name: 'and the rule is taken out again when it is asked',
      act: 'echo src/ > .gitignore; mkdir src; echo right > src/word.txt',
      asked: { bash: 'rm .gitignore' },
      hidden: ['src/word.txt'],
      proof: 'proven',
    },
    {
      name: 'where it is what a build makes: removed, and made again by the check',
      act: 'echo dist/ > .gitignore; mkdir src dist; echo right | tee src/word.txt > dist/word.txt',
      asked: { bash: 'rm -r dist' },
      check: 'mkdir -p dist && cp src/word.txt dist && grep -qx right dist/word.txt',
      hidden: ['dist/word.txt'],
      proof: 'proven',
    },
    {
      name: 'where it is what a build makes: left as it is',
      act: 'echo dist/ > .gitignore; mkdir src dist; echo right | tee src/word.txt > dist/word.txt',
      check: 'cp src/word.txt dist/copy.txt',
      hidden: ['dist/word.txt'],
      proof: 'unchecked',
    },
  ];
  test.each(share(rows, 6))(
    '$name',
    async ({ act, asked, hidden, proof, check = 'grep -qx right src/word.txt' }) => {
      await using scene = await makeStory({
        plan: `# Plan: One word\n\n### Task 1: Write the word\n- check: \`${check}\`\n- [ ] Write right\n`,
        turns: [
          { when: 'work of task 1', steps: [...(asked ? [asked] : []), say('TASK_DONE it is meant so')] },
          { when: '### Task 1', steps: [{ bash: act }, say('TASK_DONE wrote it')] },
        ],
      });
      const ended = await scene.run();
      expect(
        factsOf(ended, 'correction-sent').map(({ kind }) => kind),
        tell(ended),
      ).toEqual(['ignored']);
      expect(factsOf(ended, 'file-refused').map(({ file }) => file)).toEqual(hidden);
      expect(factsOf(ended, 'task-closed').map((closed) => closed.proof)).toEqual([proof]);
      expect(ended.exit).toBe(proof === 'proven' ? 0 : 4);
      if (proof === 'unchecked')
        expect(await readRun(scene)).toContain(`${hidden[0]} is hidden by an ignore rule that is new`);
    },
  );

  test('what was ignored before, what is installed, what checks make and what is a person’s is none', async () => {
    await using scene = await makeStory({
      files: { '.gitignore': 'old/\n' },
      plan: '# Plan: One word\n\n## Checks\n- `mkdir -p out && date >> out/log.txt`\n\n### Task 1: One\n- check: `grep -qx right one.txt`\n- [ ] One\n\n### Task 2: Two\n- check: `grep -qx right two.txt`\n- [ ] Two\n',
      turns: [
        {
          when: '### Task 1',
          steps: [
            {
              bash: "printf '%s\\n' old/ out/ node_modules/ notes.txt .pytest_cache > .gitignore; mkdir old node_modules .pytest_cache; touch old/x node_modules/x .pytest_cache/x notes.txt; echo right > one.txt",
            },
            say('TASK_DONE wrote it'),
          ],
        },
        {
          when: '### Task 2',
          steps: [{ bash: 'date >> out/log.txt; echo right > two.txt' }, say('TASK_DONE wrote it')],
        },
      ],
    });
    await scene.repo.write('notes.txt', 'mine\n');
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    expect(factsOf(ended, 'correction-sent')).toEqual([]);
    expect(factsOf(ended, 'files-made').flatMap(({ files }) => files)).toEqual(['out/']);
  });
});
