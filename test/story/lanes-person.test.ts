// What a person does to the run's branch and to its index while tasks are worked on in lanes: the run stops before it builds on
// that, and the same command goes on from there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { faultAt } from '../helpers/night.ts';
import { asidesOf, factsOf, makeScene, type Scene } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const plan = letterPlan('a', 'b', 'c').replaceAll('- check', '- depends: none\n- check');

async function makeThree(): Promise<Scene> {
  return makeScene({
    plan,
    turns: [
      onTask('a', [write('a'), done]),
      onTask('b', [{ think: 4_000 }, write('b'), done]),
      onTask('c', [{ think: 4_000 }, write('c'), done]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
}

inSoak.each([
  ['amends what landed', ['commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z'], ['2', '3']],
  ['takes back what landed', ['reset', '-q', '--hard', 'HEAD~1'], ['1', '2', '3']],
] as const)('a person %s while others are worked on', async (_, act, left) => {
  await using scene = await makeThree();
  const running = scene.startRun('--jobs', '3');
  await running.until('task-closed');
  await scene.repo.git(...act);
  const stopped = await running.ended;
  expect(
    factsOf(stopped, 'task-closed').map(({ task }) => task),
    stopped.stderr,
  ).toEqual(['1']);
  expect(factsOf(stopped, 'run-ended')).toMatchObject([{ reasons: [{ code: 'history' }] }]);
  const ended = await scene.run('--jobs', '3');
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(
    factsOf(ended, 'task-closed')
      .map(({ task }) => task)
      .sort(),
  ).toEqual(left);
  expect(await redCommits(scene.repo)).toEqual([]);
});

test('what a person changes in a lane while the run stands still is named, and taken only if they say so', async () => {
  await using scene = await makeScene({
    plan: plan.replace('### Task 1', '## Checks\n- `sh check.sh`\n\n### Task 1'),
    files: { 'check.sh': 'test ! -e strict.sh || sh strict.sh\n', 'strict.sh': 'true\n' },
    turns: [
      onTask('a', [write('a'), { think: 60_000 }, done]),
      onTask('b', [write('b'), done]),
      onTask('c', [{ think: 60_000 }, done]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
  const running = scene.startRun('--jobs', '3');
  const { folder, lane } = await running.until('lane-opened');
  await running.until('task-closed');
  await running.until('session-ready', ({ session }) => session === 3);
  running.child.kill('SIGINT');
  expect(factsOf(await running.ended, 'run-ended')).toMatchObject([{ exit: 130 }]);
  await writeFile(path.join(folder, 'mine.txt'), 'a person\n');
  // A check names it: when the lane catches up with what landed, that it is gone is still the person's doing.
  await rm(path.join(folder, 'strict.sh'));
  await scene.rewrite([onTask('a', [write('a'), done]), onTask('c', [write('c'), done])]);
  const text = `files changed in lane ${lane} (${folder}) since the run stopped: mine.txt, strict.sh`;
  const refused = await scene.run('--jobs', '3');
  expect(factsOf(refused, 'run-ended')).toMatchObject([{ exit: 2, reasons: [{ code: 'preflight', text }] }]);
  // Which of two open tasks is to get what changed in the run's own tree has to be said.
  await scene.repo.write('new.txt', 'a person\n');
  const unclear = await scene.run('--jobs', '3', '--take-edits');
  expect(factsOf(unclear, 'run-ended')).toMatchObject([
    { exit: 2, reasons: [{ text: 'it is not clear which open task is to get what you changed: new.txt' }] },
  ]);
  await rm(path.join(scene.repo.path, 'new.txt'));
  const taken = await scene.run('--jobs', '3', '--take-edits');
  expect(taken.exit, taken.stdout + taken.stderr).toBe(0);
  expect(factsOf(taken, 'intervention')).toContainEqual(
    expect.objectContaining({ kind: 'hand-edit', text: 'taken into the open task: mine.txt, strict.sh' }),
  );
  expect(await scene.repo.git('show', 'HEAD:mine.txt')).toBe('a person');
  expect(factsOf(taken, 'act-found')).toEqual([]);
  expect(await scene.repo.exists('strict.sh')).toBe(false);
  expect(await redCommits(scene.repo)).toEqual([]);
});

test('what a person gives to a task is its start, beside what it had done itself, and none of their own files goes with it', async () => {
  await using scene = await makeScene({
    plan: plan.replace('### Task 1', '## Checks\n- `sh check.sh`\n\n### Task 1'),
    files: { 'README.md': 'read me\n', 'check.sh': 'true\n' },
    turns: [
      ...['a', 'b'].map((letter) => onTask(letter, [write(letter), done])),
      onTask('c', [write('part'), { say: 'Hm.\n\n{{marker NEEDS_INPUT Which one?}}' }]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
  const { repo } = scene;
  await repo.write('older.txt', 'mine\n');
  const asked = await scene.run('--jobs', '2');
  expect(asidesOf(asked, 'parked'), asked.stderr).toMatchObject([{ task: '3', rescue: expect.anything() }]);
  await scene.pawl('answer', '3', 'This one.');
  await repo.write('README.md', 'a person\n');
  await repo.write('check.sh', 'test -e part.txt\n');
  await repo.write('new.txt', 'a person\n');
  await scene.rewrite([onTask('c', [{ think: 3_000 }, write('c'), done])]);
  const running = scene.startRun('--jobs', '2', '--take-edits');
  await running.until('session-ready');
  // The lane catches up with that: what the check is stays the person's.
  await repo.git('commit', '-q', '--allow-empty', '-m', 'beside');
  const ended = await running.ended;
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(factsOf(ended, 'edits-given')).toMatchObject([
    { task: '3', files: ['README.md', 'check.sh', 'new.txt'] },
  ]);
  expect(factsOf(ended, 'act-found')).toEqual([]);
  const landed = await repo.git('show', '--format=', '--name-only', 'HEAD');
  expect(landed.split('\n')).toEqual([
    'README.md',
    'c.txt',
    'check.sh',
    'docs/plans/plan.md',
    'new.txt',
    'part.txt',
  ]);
  expect(await repo.git('status', '--porcelain')).toBe('?? older.txt');
  expect(await redCommits(repo)).toEqual([]);
});

test('what a person changes before there is any lane is given to no task that may begin in one', async () => {
  await using scene = await makeScene({
    plan,
    turns: [onTask('a', [write('a'), done])],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
  await scene.run('--task', '1');
  await scene.repo.write('new.txt', 'a person\n');
  const unclear = await scene.run('--jobs', '2', '--take-edits');
  expect(factsOf(unclear, 'run-ended'), unclear.stderr).toMatchObject([
    { exit: 2, reasons: [{ text: 'it is not clear which open task is to get what you changed: new.txt' }] },
  ]);
});

inSoak(
  'a lane that a stop left half merged is not gone on with over what a person changed in it',
  async () => {
    await using scene = await makeThree();
    // git refuses to move the lane's HEAD, once its files are the merged ones.
    const lock = `find ${scene.home} -path '*/lanes/*/.git/HEAD' -exec touch {}.lock \\;`;
    Object.assign(scene.env, faultAt('journal lane-catching-up#1', lock));
    const stopped = await scene.run('--jobs', '3');
    delete (scene.env as Record<string, string>)['FAULT_AT'];
    const [moved] = factsOf(stopped, 'lane-catching-up');
    expect(stopped.exit, stopped.stderr).toBe(8);
    expect(factsOf(stopped, 'lane-caught-up').map(({ task }) => task)).not.toContain(moved?.task);
    const { folder = '' } = factsOf(stopped, 'lane-opened').find(({ lane }) => lane === moved?.lane) ?? {};
    await writeFile(path.join(folder, 'a.txt'), 'a person\n');
    const where = `files changed in lane ${moved?.lane} (${folder})`;
    // What would not be taken is not offered.
    const text = `${where}, which the stop left half merged with what landed: a.txt`;
    for (const takes of [[], ['--take-edits']]) {
      const refused = await scene.run('--jobs', '3', ...takes);
      expect(factsOf(refused, 'run-ended'), refused.stderr).toMatchObject([{ exit: 2, reasons: [{ text }] }]);
      expect(refused.stdout + refused.stderr).not.toContain('--take-edits ');
      expect(await readFile(path.join(folder, 'a.txt'), 'utf8')).toBe('a person\n');
    }
    await writeFile(path.join(folder, 'a.txt'), 'a\n');
    const ended = await scene.run('--jobs', '3');
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(await redCommits(scene.repo)).toEqual([]);
  },
);

inSoak(
  'a person whose git holds the index keeps the files from following, and nothing is taken for their doing',
  async () => {
    await using scene = await makeThree();
    const running = scene.startRun('--jobs', '3');
    await running.until('session-ready');
    const git = spawn('git', ['commit', '-qa', '--allow-empty'], {
      cwd: scene.repo.path,
      env: { ...scene.env, GIT_EDITOR: 'sleep 300; false' },
      stdio: 'ignore',
      detached: true,
    });
    const stopped = await running.ended;
    expect(
      factsOf(stopped, 'task-closed')
        .map(({ task }) => task)
        .sort(),
      stopped.stderr,
    ).toEqual(['1', '2', '3']);
    const text = expect.stringContaining('index.lock');
    expect(factsOf(stopped, 'run-ended')).toMatchObject([{ exit: 8, reasons: [{ code: 'git', text }] }]);
    process.kill(-(git.pid ?? Number.NaN));
    await once(git, 'exit');
    const ended = await scene.run('--jobs', '3');
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    for (const life of [stopped, ended]) {
      expect(factsOf(life, 'intervention').filter(({ kind }) => kind !== 'rerun')).toEqual([]);
      expect(factsOf(life, 'task-reopened')).toEqual([]);
    }
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
  },
);

test('a session that leaves its lane for the run’s own tree is not taken for a person', async () => {
  const hostile = [
    `sed -i -e '/c to c.txt/s/\\[ \\]/[x]/' -e 's/^- check: .grep -qx b.*/- check: \`true\`/' docs/plans/plan.md`,
    'rm mine.txt .env',
    'echo theirs >> README.md',
    'git branch -q -D other; git tag -d keep',
  ].join('; ');
  await using scene = await makeScene({
    plan,
    files: { 'README.md': 'read me\n', '.gitignore': '.env\n' },
    turns: (root) => [
      onTask('a', [{ bash: `(cd ${root} && ${hostile})` }, write('a'), done]),
      onTask('b', [{ think: 2_000 }, { bash: 'echo wrong > b.txt' }, done], true),
      onTask('b', [write('b'), done]),
      onTask('c', [{ think: 2_000 }, write('c'), done]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
  const { repo } = scene;
  await repo.write('mine.txt', 'mine\n');
  await repo.write('.env', 'SECRET=1\n');
  await repo.git('branch', 'other');
  await repo.git('tag', 'keep');
  const ended = await scene.run('--jobs', '2');
  expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
  expect(
    factsOf(ended, 'task-closed')
      .map(({ task, proof }) => [task, proof])
      .sort(),
  ).toEqual(['1', '2', '3'].map((task) => [task, 'proven']));
  expect(await repo.git('show', 'HEAD:c.txt', 'HEAD:b.txt')).toBe('c\nb');
  expect(await redCommits(repo)).toEqual([]);
  expect([await repo.read('mine.txt'), await repo.read('.env')]).toEqual(['mine\n', 'SECRET=1\n']);
  expect(await repo.read('docs/plans/plan.md')).toBe(
    `${await repo.git('show', 'HEAD:docs/plans/plan.md')}\n`,
  );
  expect(await repo.read('README.md')).toBe('read me\ntheirs\n');
  expect(await repo.git('status', '--porcelain')).toBe(' M README.md\n?? mine.txt');
  const acts = factsOf(ended, 'act-found').map(({ act, detail }) => `${act} ${detail.split(' ')[0]}`);
  expect(acts).toEqual([
    'edited-plan docs/plans/plan.md',
    'moved-ref refs/heads/other',
    'moved-ref refs/tags/keep',
    'changed-user-file mine.txt,',
  ]);
  expect(factsOf(ended, 'edits-left')).toHaveLength(1);
});

test('lines that a rule of the work itself has merged are named, and prove nothing', async () => {
  const both = (letter: string) =>
    ({ bash: `echo ${letter} > ${letter}.txt; sed -i 's/^one$/one of ${letter}/' shared.txt` }) as const;
  await using scene = await makeScene({
    plan: letterPlan('a', 'b').replaceAll('- check', '- depends: none\n- check'),
    files: { 'shared.txt': 'one\n' },
    turns: [
      onTask('a', [both('a'), done]),
      onTask('b', [{ think: 3_000 }, both('b'), { bash: 'echo "*.txt merge=union" > .gitattributes' }, done]),
    ],
    env: { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' },
  });
  const ended = await scene.run('--jobs', '2');
  const last = factsOf(ended, 'task-closed').at(-1);
  expect(last, ended.stdout + ended.stderr).toMatchObject({ task: '2', proof: 'unchecked' });
  expect(last?.reason).toContain('shared.txt was merged by merge=union');
});

inSoak(
  'a session that removes the git folder of its lane has lost an attempt: its task begins anew, the others go on',
  async () => {
    const breaks = onTask('a', [write('a'), { bash: 'rm -rf .git' }, done], true);
    const turns = [onTask('b', [write('b'), done]), onTask('c', [write('c'), done])];
    const env = { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: '' };
    await using scene = await makeScene({
      plan,
      turns: [breaks, onTask('a', [write('a'), done]), ...turns],
      env,
    });
    const ended = await scene.run('--jobs', '2');
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(factsOf(ended, 'round-ended')).toMatchObject([
      { task: '1', verdict: 'again', counts: true, reason: expect.stringContaining('.git was removed') },
    ]);
    expect(await redCommits(scene.repo)).toEqual([]);
    await using always = await makeScene({ plan, turns: [breaks, breaks, breaks, ...turns], env });
    const failed = await always.run('--jobs', '2', '--replan', 'never', '--keep-going');
    expect([failed.exit, factsOf(failed, 'session-started').filter(({ task }) => task === '1')]).toEqual([
      1,
      [expect.anything(), expect.anything(), expect.anything()],
    ]);
    const told = factsOf(failed, 'noticed').filter(({ code }) => code === 'lane-gone');
    expect(told.map(({ text }) => text.includes('starts again'))).toEqual([true, true, false]);
    expect(await readRun(always, 'evidence-1.md')).toContain('Leave the git folder alone');
    expect(await redCommits(always.repo)).toEqual([]);
  },
);
