// Sessions that may only look, reviewers and planners, which reach the run's own tree by its path: what they changed is put
// back and named, like anything that changes there while no session works; what they answered counts.
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { type Cast, expectExit, factsOf, makeScene, type Scene, tell } from '../helpers/pawl.ts';
import { makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { isSoak, share } from '../helpers/share.ts';
import { actsOf } from '../helpers/story.ts';

const inTree = (root: string, command: string): Step => ({ bash: `cd ${root} && ${command}` });
/** What the run ends with, whoever trespassed: the work in HEAD, a clean tree, the person's files. */
async function expectUnharmed({ repo }: Scene): Promise<void> {
  expect(await repo.git('show', 'HEAD:src/word.txt')).toBe('right');
  expect(await repo.read('src/word.txt')).toBe('right\n');
  expect(await repo.git('status', '--porcelain')).toBe('?? notes.txt');
  expect(await repo.read('notes.txt')).toBe('mine\n');
  expect(await repo.read('.env')).toBe('KEY=1\n');
  expect(await repo.log()).toEqual(['Write the word', 'start']);
  expect(await repo.git('branch', '--format=%(refname:short)')).toMatch(/^main\n(mine\n)?plan$/);
}

/** A person's untracked and ignored files. */
async function addPersonsFiles({ repo }: Scene): Promise<void> {
  await repo.write('notes.txt', 'mine\n');
  await repo.write('.env', 'KEY=1\n');
}

describe('a reviewer of several', () => {
  const acts: readonly Readonly<{ name: string; cast?: Cast; command: string; found: readonly string[] }>[] =
    [
      {
        name: 'edits and makes a branch',
        command: 'echo wrong > src/word.txt; echo x > notes.txt; git branch aside',
        found: ['moved-ref → put-back', 'changed-tree → put-back'],
      },
      {
        name: 'commits',
        command: 'echo wrong > src/word.txt && git commit -qam sabotage',
        found: ['committed → put-back', 'changed-tree → put-back'],
      },
      {
        name: 'edits, with the real CLI',
        cast: 'claude',
        command: 'echo wrong > src/word.txt; echo x > notes.txt',
        found: ['changed-tree → put-back'],
      },
      {
        name: 'deletes, a branch too',
        command: 'rm -rf src notes.txt .env; git branch -q -D mine',
        // Git keeps no log of a branch that is gone, so nobody can tell whose act it was.
        found: ['moved-ref → reported', 'changed-tree → put-back'],
      },
      { name: 'resets', command: 'git reset -q --hard HEAD~1', found: ['rewrote-history → put-back'] },
    ];
  test.each(share(acts, acts.length))(
    '$name: put back, and its answer counts',
    async ({ command, cast, found }) => {
      await using scene = await makeReview({
        ...(cast ? { cast } : {}),
        readOnly: false,
        stages: '[{name: first, reviewers: [quality, testing], rounds: 2}]',
        files: { '.gitignore': '.env\n' },
        more: 'git switch -qc mine; git commit -q --allow-empty -m mine; git switch -q main\n',
        turns: (root) => [
          reviewer('testing', [], { before: [inTree(root, command)] }),
          reviewer('quality', []),
        ],
      });
      await addPersonsFiles(scene);
      const ended = await expectExit(0, scene.run());
      expect(reviewOf(ended).at(-1), tell(ended)).toBe('first ended clean');
      expect(actsOf(ended)).toEqual(found);
      await expectUnharmed(scene);
    },
  );
});

describe('a planner', () => {
  const plan =
    '---\nattempts: 1\n---\n# Plan: Numbers\n\n### Task 1: Write one\n- check: `grep -qx one one.txt`\n- [ ] one\n';
  test('that ticks the plan: the boxes are open again', async () => {
    await using scene = await makeNight({
      plan,
      cast: isSoak ? 'claude' : 'scripted',
      readOnly: false,
      env: { PAWL_REPLAN: 'on-failure' },
      turns: (root) => [
        {
          when: 'You plan anew',
          steps: [
            inTree(root, "sed -i 's/- \\[ \\]/- [x]/' docs/plans/plan.md"),
            { say: 'It stands.\n\n{{marker PLAN_READY}}' },
          ],
        },
        { when: '### Task 1', steps: [done] },
      ],
    });
    const ended = await expectExit(1, scene.run());
    expect(actsOf(ended)).toContain('ticked-plan → put-back');
    expect(factsOf(ended, 'replan-ended').map(({ result }) => result)).toEqual(['unchanged']);
    expect(await scene.repo.read('docs/plans/plan.md')).toBe(plan);
    expect(factsOf(ended, 'intervention').filter(({ kind }) => kind === 'tick')).toEqual([]);
  });
});

test('a planner of `pawl plan` that commits: its commit is taken off the branch', async () => {
  const text = '# Plan: X\n\n### Task 1: One\n- check: `test -f one`\n- [ ] one\n';
  await using scene = await makeScene({
    readOnly: false,
    files: { '.gitignore': '.env\n' },
    turns: (root) => [
      {
        when: 'What is wanted',
        steps: [
          inTree(root, 'echo wrong > README.md && git commit -qam planned'),
          { say: `Here.\n\n<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${text}<<<PAWL:END {{nonce}}>>>` },
        ],
      },
    ],
  });
  await addPersonsFiles(scene);
  const { repo } = scene;
  const head = await repo.git('rev-parse', 'HEAD');
  const ended = await scene.pawl('plan', 'Add one', '--yes', '--json', '--trust');
  expect(actsOf(ended), tell(ended)).toEqual(['committed → put-back']);
  expect(factsOf(ended, 'dialogue-drafted')).toHaveLength(1);
  expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
});
