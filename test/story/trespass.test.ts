// Sessions that may only look, reviewers and planners, which reach the run's own tree by its path: what they did is put back
// and named, and what they answered does not count. What a person does meanwhile stays, and is in no commit of the run's.
import { describe, expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { type Cast, type Ended, factsOf, makeScene, type Scene, tell } from '../helpers/pawl.ts';
import {
  answersTo,
  complaint,
  fixer,
  makeReview,
  reviewedPlan,
  reviewer,
  reviewOf,
} from '../helpers/review.ts';
import { inSoak, isSoak, share } from '../helpers/share.ts';
import { actsOf, readRun } from '../helpers/story.ts';

const refusedOf = (ended: Ended) => factsOf(ended, 'answer-refused').map(({ reason }) => reason);
const inTree = (root: string, command: string): Step => ({ bash: `cd ${root} && ${command}` });
/** Each of five, and of two. */
const five =
  '[{name: first, reviewers: [quality, implementation, testing, simplification, documentation], rounds: 2}]';
const two = '[{name: first, reviewers: [quality, testing], rounds: 2}]';

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
  const acts: readonly Readonly<{
    name: string;
    cast?: Cast;
    stages?: string;
    /** What it does when it is first asked, and when it is asked once more. */
    commands: readonly [string, string];
    found: readonly string[];
  }>[] = [
    {
      name: 'edits and makes a branch, then commits',
      commands: [
        'echo wrong > src/word.txt; echo x > notes.txt; echo new > src/new.txt; git branch aside',
        'echo wrong > src/word.txt && git commit -qam sabotage',
      ],
      stages: five,
      found: [
        'changed-tree → put-back',
        'moved-ref → put-back',
        'changed-tree → put-back',
        'committed → put-back',
      ],
    },
    {
      name: 'edits, with the real CLI',
      cast: 'claude',
      commands: ['echo wrong > src/word.txt; echo x > notes.txt', 'echo new > src/new.txt'],
      found: ['changed-tree → put-back', 'changed-tree → put-back'],
    },
    {
      name: 'deletes, then resets',
      commands: [
        'rm -rf src notes.txt .env big; git branch -q -D mine; git reflog expire --expire=now --all; git gc -q --prune=now',
        'git reset -q --hard HEAD~1',
      ],
      found: [
        'changed-tree → put-back',
        'changed-user-file → reported',
        'moved-ref → put-back',
        'rewrote-history → put-back',
      ],
    },
  ];
  test.each(share(acts, acts.length))(
    '$name: put back, and its answer does not count',
    async ({ commands, cast, stages = two, found }) => {
      await using scene = await makeReview({
        ...(cast ? { cast } : {}),
        readOnly: false,
        stages,
        files: { '.gitignore': '.env\nbig\n' },
        more: 'git switch -qc mine; git commit -q --allow-empty -m mine; git switch -q main\n',
        turns: (root) => [
          reviewer('testing', [], { once: true, before: [inTree(root, commands[0])] }),
          reviewer('testing', [], { before: [inTree(root, commands[1])] }),
          ...(['quality', 'implementation', 'simplification', 'documentation'] as const).map((name) =>
            reviewer(name, []),
          ),
        ],
      });
      await addPersonsFiles(scene);
      await scene.repo.write('big', 'mine\n');
      const ended = await scene.run();
      expect(ended.exit, tell(ended)).toBe(4);
      expect(reviewOf(ended).at(-1), tell(ended)).toBe('first ended incomplete');
      // Asked once more, and again it did something.
      expect(refusedOf(ended)).toHaveLength(2);
      expect(actsOf(ended)).toEqual(found);
      await expectUnharmed(scene);
      expect(await readRun(scene)).toMatch(/The answer of session \d+ does not count: it may only read/);
    },
  );

  inSoak('cleans, once: asked again, its second answer counts', async () => {
    await using scene = await makeReview({
      readOnly: false,
      stages: two,
      files: { '.gitignore': '.env\n' },
      turns: (root) => [
        reviewer('testing', [complaint()], {
          once: true,
          before: [inTree(root, 'git clean -fdqx')],
        }),
        ...(['quality', 'testing'] as const).map((name) => reviewer(name, [])),
      ],
    });
    await addPersonsFiles(scene);
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    expect(reviewOf(ended).at(-1)).toBe('first ended clean');
    expect(refusedOf(ended)).toHaveLength(1);
    await expectUnharmed(scene);
  });
});

describe('a person, while reviewers work', () => {
  const byPerson = (root: string, command: string): Step => ({
    // Named as no session would: what it does is nobody's of the run.
    bash: `sh -c "$(echo ${Buffer.from(`cd ${root}; ${command}`).toString('base64')} | base64 -d)"`,
  });
  const turns =
    (command: string, findings: Parameters<typeof reviewer>[1]) =>
    (root: string): readonly Turn[] => [
      reviewer('quality', findings, { once: true, before: [byPerson(root, command)] }),
      reviewer('quality', []),
      reviewer('testing', []),
      fixer([{ bash: 'echo ok > src/fixed.txt' }, answersTo({ F1: true })]),
    ];

  test('writes new files and changes one that is committed: no fixer begins until a person has said whose it is', async () => {
    const command =
      'echo note > persons-note.txt; echo "# Plan: x" > docs/plans/new.md; echo persons >> README.md';
    await using scene = await makeReview({ readOnly: false, turns: turns(command, [complaint()]) });
    const first = await scene.run();
    expect(first.exit, tell(first)).toBe(3);
    expect(first.stdout).toContain('README.md changed while reviewers or a planner worked');
    const again = await scene.run();
    expect(again.exit, tell(again)).toBe(3);
    expect(factsOf(again, 'session-started')).toEqual([]);
    await scene.repo.git('stash');
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    // What is new stays, is named, and is in no commit.
    expect(factsOf(first, 'edits-left').map(({ files }) => files)).toEqual([
      ['docs/plans/new.md', 'persons-note.txt'],
    ]);
    expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/fixed.txt');
    expect(await scene.repo.read('persons-note.txt')).toBe('note\n');
  });

  inSoak('changes one, and nothing is to be fixed: it stays, and is named', async () => {
    await using scene = await makeReview({ readOnly: false, turns: turns('echo persons >> README.md', []) });
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    expect(await scene.repo.git('status', '--porcelain')).toBe(' M README.md');
    expect(await readRun(scene)).toContain('Changed while a reviewer worked: README.md');
  });
});

describe('a planner', () => {
  const plan =
    '---\nattempts: 1\n---\n# Plan: Numbers\n\n### Task 1: Write one\n- check: `grep -qx one one.txt`\n- [ ] one\n';
  const env = {
    PAWL_REPLAN: 'on-failure',
    PAWL_ARCHIVE: 'false',
    PAWL_BASELINE: 'skip',
    PAWL_TASK_CORRECTIONS: '0',
  };
  test('that ticks the plan is believed in nothing', async () => {
    await using scene = await makeScene({
      plan,
      cast: isSoak ? 'claude' : 'scripted',
      readOnly: false,
      env,
      turns: (root) => [
        {
          when: 'You plan anew',
          steps: [
            inTree(root, "sed -i 's/- \\[ \\]/- [x]/' docs/plans/plan.md"),
            { say: 'It stands.\n\n{{marker PLAN_READY}}' },
          ],
        },
        { when: '### Task 1', steps: [{ say: 'Done.\n\n{{marker TASK_DONE did it}}' }] },
      ],
    });
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(1);
    expect(actsOf(ended)).toContain('ticked-plan → put-back');
    expect(factsOf(ended, 'replan-ended').map(({ result }) => result)).toEqual(['failed', 'failed']);
    expect(refusedOf(ended)[0]).toContain('the plan');
    expect(await scene.repo.read('docs/plans/plan.md')).toBe(plan);
    expect(factsOf(ended, 'task-closed-by-hand')).toEqual([]);
  });
});

describe('a person’s refs, which a reviewer', () => {
  const rows: readonly Readonly<{ name: string; command: string; acts: readonly string[]; undo?: RegExp }>[] =
    [
      // Git forgets with it who did it, but the record says who reached the tree.
      { name: 'deletes a branch', command: 'git branch -q -D mine', acts: ['moved-ref → put-back'] },
      { name: 'replaces a commit', command: 'git replace HEAD HEAD~1', acts: ['moved-ref → put-back'] },
      { name: 'moves a branch', command: 'git branch -f mine HEAD', acts: ['moved-ref → put-back'] },
      {
        name: 'drops a stash',
        command: 'git stash drop -q',
        acts: ['stashed → reported'],
        undo: /\(git (stash store \S+) brings it back/,
      },
    ];
  inSoak.each(rows)(
    '$name: as before, or named with what brings it back',
    async ({ command, acts, undo }) => {
      await using scene = await makeReview({
        readOnly: false,
        turns: (root) => [
          reviewer('testing', [], { before: [inTree(root, command)] }),
          reviewer('quality', []),
        ],
      });
      const { repo } = scene;
      await repo.git('branch', 'mine');
      await repo.write('README.md', 'stashed');
      await repo.git('stash');
      const names = ['refs/heads/m*', 'refs/stash', 'refs/replace'];
      const refs = () => repo.git('for-each-ref', '--format=%(refname) %(objectname)', ...names);
      const before = await refs();
      const ended = await scene.run();
      expect([...new Set(actsOf(ended))], tell(ended)).toEqual(acts);
      expect(ended.exit).toBe(undo ? 0 : 4);
      expect(refusedOf(ended)).toHaveLength(undo ? 1 : 2);
      if (undo) await repo.git(...(undo.exec(await readRun(scene))?.[1] ?? 'none').split(' '));
      expect(await refs()).toBe(before);
      expect(await repo.log()).toEqual(['Write the word', 'start']);
    },
  );
});

test('a planner of `pawl plan` that writes, removes and commits: no plan comes of it, and all is as before', async () => {
  const text = '# Plan: X\n\n### Task 1: One\n- check: `test -f one`\n- [ ] one\n';
  await using scene = await makeScene({
    readOnly: false,
    files: { '.gitignore': '.env\n' },
    turns: (root) => [
      {
        when: 'What is wanted',
        steps: [
          inTree(root, 'echo wrong > README.md && rm notes.txt .env && git commit -qam planned'),
          { say: `Here.\n\n<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${text}<<<PAWL:END {{nonce}}>>>` },
        ],
      },
    ],
  });
  await addPersonsFiles(scene);
  const { repo } = scene;
  const head = await repo.git('rev-parse', 'HEAD');
  const ended = await scene.pawl('plan', 'Add one', '--yes', '--json', '--trust');
  expect(ended.exit, tell(ended)).not.toBe(0);
  expect(refusedOf(ended)[0]).toContain('the branch (1 commit');
  expect(factsOf(ended, 'draft-given')).toEqual([]);
  expect(factsOf(ended, 'plan-written')).toEqual([]);
  expect(await repo.git('rev-parse', 'HEAD')).toBe(head);
  expect(await repo.git('status', '--porcelain')).toBe('?? notes.txt');
  expect([await repo.read('notes.txt'), await repo.read('.env')]).toEqual(['mine\n', 'KEY=1\n']);
});

test('a reviewer of `pawl review --report-only` that edits: its answer does not count, and the files are named', async () => {
  await using scene = await makeReview({
    readOnly: false,
    turns: (root) => [
      reviewer('testing', [], {
        before: [inTree(root, 'echo wrong >> src/word.txt; echo x >> notes.txt')],
      }),
      reviewer('quality', []),
    ],
  });
  const { repo } = scene;
  await repo.git('switch', '-qc', 'feature');
  await repo.write('src/word.txt', 'right\n');
  await repo.git('add', '-A');
  await repo.git('commit', '-qm', 'word');
  await repo.write('notes.txt', 'mine\n');
  const ended = await scene.pawl('review', '--report-only', '--json');
  expect(ended.exit, tell(ended)).toBe(4);
  expect(actsOf(ended)).toContain('changed-tree → reported');
  expect(factsOf(ended, 'act-found').map(({ detail }) => detail)).toContain(
    'src/word.txt; git restore brings back what is committed; notes.txt had uncommitted changes, which git restore would lose: compare in your editor',
  );
  expect(refusedOf(ended)[0]).toContain('changed notes.txt, src/word.txt; it stays as it is');
});

test('a session of a run in a worktree that reaches the tree it was started from: what is other there is told with what brings it back, and stays', async () => {
  await using scene = await makeScene({
    plan: reviewedPlan,
    cast: isSoak ? 'claude' : 'scripted',
    files: { '.gitignore': '.env\ndata/\n' },
    turns: (root) => [
      {
        when: '### Task 1',
        steps: [
          { bash: 'mkdir -p src && echo right > src/word.txt' },
          inTree(root, 'rm -rf notes.txt .env data/one.db; echo theirs > README.md'),
          { say: 'Written.\n\n{{marker TASK_DONE wrote it}}' },
        ],
      },
    ],
    env: { PAWL_BASELINE: 'skip', PAWL_ARCHIVE: 'false' },
  });
  await addPersonsFiles(scene);
  const { repo } = scene;
  await repo.write('data/one.db', 'mine\n');
  await repo.write('data/two.db', 'mine\n');
  const ended = await scene.run('--worktree');
  expect(ended.exit, tell(ended)).toBe(0);
  expect(actsOf(ended)).toEqual(['changed-user-file → reported']);
  const [, point = ''] = /git restore --source=(\w+) --worktree/.exec(await readRun(scene)) ?? [];
  const [{ detail = '' } = {}] = factsOf(ended, 'act-found');
  expect(detail).toMatch(/^\.env, README\.md, notes\.txt, data\/one\.db in .*no copy of data\/one\.db$/);
  await repo.git('restore', `--source=${point}`, '--worktree', '--', 'notes.txt', '.env', 'README.md');
  expect(await repo.git('status', '--porcelain')).toBe('?? notes.txt');
  expect([await repo.read('notes.txt'), await repo.read('.env')]).toEqual(['mine\n', 'KEY=1\n']);
});
