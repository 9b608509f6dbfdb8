// Checks as pawl sees them: red before the work, red for ever, unable to run, endless, writing files of their own; and
// the user's files beside them.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { asidesOf, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import {
  claimsDone,
  formatPlan,
  makeStory,
  ownCommits,
  readRun,
  roundsOf,
  sayDone,
  writeRight,
} from '../helpers/story.ts';

/** The plan with plan checks before its only task. */
const withChecks = (...lines: readonly string[]) =>
  formatPlan.replace('### Task', `## Validation Commands\n${lines.join('\n')}\n\n### Task`);

test.each([[], ['--tasks-only']])(
  'red before the work: shown, excused only where the plan says so, and the end is checked once %s',
  async (...args) => {
    await using scene = await makeStory({
      plan: withChecks('- `test -e src` ', '- `false` (known red)', '- `test -e later` (at end)'),
      turns: claimsDone(writeRight),
      env: { PAWL_BASELINE: 'warn' },
    });
    const ended = await expectExit(4, scene.run(...args));
    const checks = factsOf(ended, 'check-ended').map(
      (fact) => `${fact.when} ${fact.command}: ${fact.result}`,
    );
    expect(checks).toEqual([
      'baseline test -e src: red',
      'baseline false: red',
      'before sh check.sh: red',
      'after test -e src: green',
      'after false: red',
      'after sh check.sh: green',
      'at-end test -e later: red',
    ]);
    expect(roundsOf(ended)).toEqual(['1 proven']);
    const receipt = await readRun(scene);
    expect(receipt).toContain('red at the end: test -e later');
    expect(receipt).toMatch(/Red before the first task, and not green since\n\n- `false`.*excused\)\n\n##/);
  },
);

const sections = [
  'Write the words|check: `sh form.sh`|Write right to src/word.txt',
  'Generate|check: `sh gen.sh`|Generate it',
  'Be stricter|check: `test -e made.sh`|Let other.sh be stricter',
  'Write the other word|check: `sh other.sh && sh made.sh`|Write right to src/other.txt',
  'Write one more|files: src/more.txt\n- check: `test -e src/more.txt`|Write src/more.txt',
  'Run as npm does|check: `npm test`|Write right to src/last.txt, and .npmrc as the others have it',
];

test('one run of six tasks: what checks make, what git has not, what a task names and what it changes beside that', async () => {
  const tasks = sections.map((section, at) => {
    const [title, attribute, step] = section.split('|');
    return `### Task ${at + 1}: ${title}\n- ${attribute}\n- [ ] ${step}\n`;
  });
  const shell = 'echo "script-shell=$(command -v true)" > .npmrc';
  const does: readonly (readonly Step[])[] = [
    [
      { bash: 'mkdir src && echo RIGHT > src/word.txt' },
      { write: { file: 'own.txt', content: 'its own\n' } },
    ],
    [{ bash: 'echo x > src/gen.txt && echo right > gen.txt' }],
    [{ bash: `echo 'test -s src/other.txt' >> other.sh; echo 'grep -qx right src/word.txt' > made.sh` }],
    [{ bash: 'echo right > src/other.txt' }],
    [
      { bash: 'echo x > src/more.txt; echo more >> README.md; echo x > extra.txt' },
      // Of the person's.
      { bash: 'echo theirs > notes.txt; git clean -fdqx other.txt .env; echo KEY=2 > .env.local' },
      { bash: 'rm .env.link && ln -s notes.txt .env.link' },
    ],
    [{ bash: `echo wrong > src/last.txt && ${shell}` }],
  ];
  await using scene = await makeStory({
    plan: `# Plan: Six\n\n${tasks.join('\n')}`,
    files: {
      'form.sh':
        'test -e own.txt || echo default > own.txt; sed -i s/RIGHT/right/ src/word.txt && echo made > report.txt && grep -qx right src/word.txt\n',
      'gen.sh': 'test -e gen.txt || echo default > gen.txt; test -e src/gen.txt && grep -qx right gen.txt\n',
      'other.sh': 'grep -qx right src/other.txt\n',
      'package.json': '{ "scripts": { "test": "sh check.sh" } }\n',
      'check.sh': 'grep -qx right src/last.txt\n',
      '.gitignore': '.env*\n',
    },
    // npm, which started these tests, names the file of its own home.
    env: { npm_config_userconfig: '', PAWL_VERIFY: 'fresh' },
    turns: does.map((steps, at) => ({ when: `### Task ${at + 1}:`, steps: [...steps, sayDone] })),
  });
  const { repo } = scene;
  for (const file of ['notes.txt', 'other.txt']) await repo.write(file, 'mine\n');
  for (const file of ['.env', '.env.local']) await repo.write(file, 'KEY=1\n');
  await repo.write('.env.link', 'KEY=3\n');
  const ended = await expectExit(4, scene.run());
  expect(roundsOf(ended)).toEqual(sections.map((_, at) => `${at + 1} proven`));
  const ofTask = (task: number) => ({
    ...ended,
    events: ended.events.filter((event) => 'task' in event && event.task === String(task)),
  });
  const committed = async (task: number) =>
    (await repo.git('show', '--name-only', '--format=', `HEAD~${sections.length - task}`)).split('\n');

  // The form of a file that a check writes once is committed; what it makes anew is not, unless the session has written it.
  expect(factsOf(ofTask(1), 'check-ended').filter(({ when }) => when === 'after')).toHaveLength(2);
  expect(factsOf(ended, 'files-made')).toMatchObject([
    { files: ['own.txt'] },
    { files: ['own.txt'], by: 'session' },
    { files: ['report.txt'] },
    { files: ['gen.txt'] },
  ]);
  expect(await committed(1)).toEqual(['docs/plans/plan.md', 'own.txt', 'src/word.txt']);
  expect([await repo.git('show', 'HEAD:own.txt'), await repo.git('show', 'HEAD:src/word.txt')]).toEqual([
    'its own',
    'right',
  ]);
  // One that a session writes by shell is in no commit: a fresh checkout shows it.
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([
    { result: 'red', red: ['sh gen.sh'], beside: expect.arrayContaining(['gen.txt']) },
  ]);
  // The check of another task is the work where the task names the file, and where it is made; so is a runner's settings.
  const details = (task: number) => factsOf(ofTask(task), 'act-found').map(({ detail }) => detail);
  expect(details(3)).toEqual(['other.sh was changed, as its text asks']);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ task: '5', kind: 'ignored' }]);
  expect(factsOf(ofTask(5), 'task-closed')).toMatchObject([{ outside: ['README.md', 'extra.txt'] }]);
  const receipt = await readRun(scene);
  expect(receipt).toContain('- Not named in its `files:`, and changed: README.md, extra.txt');

  // A person's untracked files come back; an ignored one that was changed is left, and told with what brings it back.
  expect([await repo.read('notes.txt'), await repo.read('other.txt')]).toEqual(['mine\n', 'mine\n']);
  expect(await repo.read('.env')).toBe('KEY=1\n');
  const refused = factsOf(ended, 'file-refused').map((fact) => `${fact.file} ${fact.why}`);
  expect(refused).toEqual(['.env.link ignored', '.env.local ignored']);
  const acts = factsOf(ofTask(5), 'act-found');
  expect(acts.map(({ act, response }) => `${act} ${response}`)).toEqual([
    'changed-user-file reported',
    'changed-user-file reported',
    'changed-user-file put-back',
  ]);
  const [, undo = ''] = /\.env\.local; in no commit; git (cat-file blob \w+)/.exec(receipt) ?? [];
  expect(await repo.git(...undo.split(' '))).toBe('KEY=1');
  // Of one that is a link by now the link goes first.
  const link = acts.find(({ detail }) => detail.startsWith('.env.link; '))?.detail ?? '';
  const told = /; (rm -r \.env\.link && git cat-file blob \w+ > \.env\.link) brings back/.exec(link)?.[1];
  execFileSync('sh', ['-c', told ?? 'false'], { cwd: repo.path });
  expect(await repo.read('.env.link')).toBe('KEY=3\n');
  // What the session made of it is in a rescue.
  expect(await repo.git('show', `${acts.at(-1)?.kept}:notes.txt`)).toBe('theirs');
});

inSoak('the user’s untracked files go in where commit.include names them', async () => {
  await using scene = await makeStory({
    turns: claimsDone(writeRight, { bash: 'echo theirs > notes.txt' }),
    env: { PAWL_COMMIT_INCLUDE: 'notes.*' },
  });
  await scene.repo.write('notes.txt', 'mine\n');
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'act-found')).toEqual([]);
  expect(await scene.repo.git('show', 'HEAD:notes.txt')).toBe('theirs');
});

inSoak('a file that is refused stays refused however often the session says done', async () => {
  await using scene = await makeStory({
    files: { 'check.sh': 'test -s id_rsa && grep -qx right src/word.txt\n' },
    turns: [
      { when: 'The task is not done yet', steps: [{ say: 'It works here.' }, sayDone] },
      ...claimsDone(writeRight, { bash: 'echo key > id_rsa' }),
    ],
    env: { PAWL_TASK_CORRECTIONS: '1', PAWL_TASK_ATTEMPTS: '2' },
  });
  const ended = await expectExit(1, scene.run());
  expect(roundsOf(ended)).toEqual(['1 again', '1 fail']);
  expect(factsOf(ended, 'files-made')).toEqual([]);
  expect(await readRun(scene)).toMatch(/Not committed: id\\?_rsa/);
});

inSoak('a check that writes a file each time is red and named', async () => {
  await using scene = await makeStory({
    files: { 'check.sh': 'date +%s%N >> log.txt; grep -qx right src/word.txt\n', 'log.txt': '' },
    turns: claimsDone(writeRight),
  });
  const ended = await expectExit(1, scene.run());
  expect(asidesOf(ended, 'failed')[0]?.reason).toMatch(/the checks write log\.txt every time they run/);
  expect(await ownCommits(scene)).toEqual([]);
});

test('a check that cannot run, or that hangs, is not green, and is named as that; one that is `false` ends nothing as done (53)', async () => {
  await using scene = await makeStory({
    plan: withChecks('- `sh broken.sh`', '- `test ! -e src || sleep 300`', '- `false`'),
    files: { 'broken.sh': 'no-such-program\n' },
    turns: claimsDone(writeRight),
    env: { PAWL_CLOCKS_CHECK: '3s', PAWL_BASELINE: 'warn' },
  });
  const ended = await expectExit(1, scene.run());
  expect(factsOf(ended, 'check-ended').filter(({ when }) => when === 'after')).toMatchObject([
    { command: 'sh broken.sh', result: 'could-not-run' },
    { command: 'test ! -e src || sleep 300', result: 'timed-out' },
    { command: 'false', result: 'red', alreadyRed: true },
    { command: 'sh check.sh', result: 'green' },
  ]);
  expect(await ownCommits(scene)).toEqual([]);
  expect(await readRun(scene)).toContain('(already red before)');
});

test('with nobody there, nothing begins on a red tree', async () => {
  await using scene = await makeStory({ plan: withChecks('- `false`'), turns: [] });
  const ended = await expectExit(2, scene.run('--set', 'baseline=auto'));
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(ended.events.at(-1)).toMatchObject({
    reasons: [{ text: 'red before the first task: false' }],
  });
});

inSoak('a check that is green by what its own runner reads in the home folder closes unchecked', async () => {
  const shell: Step = {
    bash: 'mkdir -p src && echo wrong > src/word.txt && echo "script-shell=$(command -v true)" > ~/.npmrc',
  };
  await using scene = await makeStory({
    plan: formatPlan.replace('sh check.sh', 'npm test'),
    files: { 'package.json': '{ "scripts": { "test": "sh check.sh" } }\n' },
    // npm, which started these tests, names the file of its own home.
    env: { npm_config_userconfig: '' },
    turns: [{ when: 'of task 1 are green', steps: [sayDone] }, ...claimsDone(shell)],
  });
  const ended = await scene.run();
  expect(
    factsOf(ended, 'correction-sent').map(({ kind }) => kind),
    tell(ended),
  ).toEqual(['runner']);
  expect(roundsOf(ended)).toEqual(['1 unchecked']);
  expect(ended.exit).toBe(4);
  const receipt = await readRun(scene);
  expect(receipt).toMatch(/\.npmrc is new, [^,]*, and the task does not name it/);
  expect(receipt).toMatch(
    /A file that a check depends on was changed \((?:\\~\/)?\.npmrc is new\): left as it is/,
  );
});
