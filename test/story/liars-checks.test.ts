// Checks as pawl sees them: red before the work, red for ever, unable to run, endless, writing files of their own; and
// the user's files beside them.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { asidesOf, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
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

test('red before the work: shown, excused only where the plan says so, and the end is checked once', async () => {
  await using scene = await makeStory({
    plan: withChecks('- `test -e src` ', '- `false` (known red)', '- `test -e later` (at end)'),
    turns: claimsDone(writeRight),
    env: { PAWL_BASELINE: 'warn' },
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  const checks = factsOf(ended, 'check-ended').map((fact) => `${fact.when} ${fact.command}: ${fact.result}`);
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
  expect(receipt).toMatch(/Red before the first task, and not green since\n\n- `false`.*excused\n\n##/);
});

test('a check that writes a file once has its form committed; what it makes anew is not, unless the session has written it since', async () => {
  const check =
    'test -e own.txt || echo default > own.txt; sed -i s/RIGHT/right/ src/word.txt && echo made > report.txt && grep -qx right src/word.txt\n';
  await using scene = await makeStory({
    files: { 'check.sh': check },
    turns: claimsDone(
      { bash: 'mkdir src && echo RIGHT > src/word.txt' },
      { write: { file: 'own.txt', content: 'its own\n' } },
    ),
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'check-ended').filter(({ when }) => when === 'after')).toHaveLength(2);
  expect(factsOf(ended, 'files-made')).toMatchObject([
    { files: ['own.txt'] },
    { files: ['own.txt'], by: 'session' },
    { files: ['report.txt'] },
  ]);
  const { repo } = scene;
  expect(await repo.git('show', 'HEAD:own.txt')).toBe('its own');
  expect(await repo.git('show', 'HEAD:src/word.txt')).toBe('right');
  expect(await repo.git('status', '--porcelain')).toBe('?? report.txt');
});

const once = 'test -e gen.txt || echo default > gen.txt;';

test('a file that a check once made, and a session writes by shell, is in no commit: a fresh checkout shows it', async () => {
  await using scene = await makeStory({
    files: { 'check.sh': `${once} test -e src/word.txt && grep -qx right gen.txt\n` },
    turns: claimsDone({ bash: 'mkdir -p src && echo x > src/word.txt && echo right > gen.txt' }),
    env: { PAWL_VERIFY: 'fresh' },
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([{ result: 'red', beside: ['gen.txt'] }]);
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
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(roundsOf(ended)).toEqual(['1 again', '1 fail']);
  expect(factsOf(ended, 'files-made')).toEqual([]);
  expect(await readRun(scene)).toMatch(/Not committed: id\\?_rsa/);
});

inSoak('a file that a session renames is committed under its new name', async () => {
  const files = {
    'src/old.txt': 'right\nand long enough to be known again\n',
    'check.sh': 'test -f src/word.txt\n',
  };
  await using scene = await makeStory({
    files,
    turns: claimsDone({ bash: 'mv src/old.txt src/word.txt' }),
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(await scene.repo.git('ls-tree', '--name-only', '-r', 'HEAD', 'src')).toBe('src/word.txt');
  expect(factsOf(ended, 'files-made')).toEqual([]);
});

inSoak('a check that writes a file each time is red and named', async () => {
  await using scene = await makeStory({
    files: { 'check.sh': 'date +%s%N >> log.txt; grep -qx right src/word.txt\n', 'log.txt': '' },
    turns: claimsDone(writeRight),
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
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
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(factsOf(ended, 'check-ended').filter(({ when }) => when === 'after')).toMatchObject([
    { command: 'sh broken.sh', result: 'could-not-run' },
    { command: 'test ! -e src || sleep 300', result: 'timed-out' },
    { command: 'false', result: 'red', alreadyRed: true },
    { command: 'sh check.sh', result: 'green' },
  ]);
  expect(await ownCommits(scene)).toEqual([]);
  expect(await readRun(scene)).toContain('already red before the work');
});

test.each<{
  name: string;
  steps: readonly Step[];
  env?: Record<string, string>;
  committed: string[];
  back?: boolean;
}>(
  share(
    [
      // That they stay out of the commit: preflight.test.ts.
      {
        name: 'come back when a session changes one and removes another, and ignored ones with them',
        steps: [
          { bash: 'echo theirs > notes.txt; git clean -fdqx other.txt .env; echo KEY=2 > .env.local' },
          { bash: 'rm .env.link && ln -s notes.txt .env.link' },
        ],
        committed: [],
        back: true,
      },
      {
        name: 'go in where commit.include names them',
        steps: [{ bash: 'echo theirs > notes.txt' }],
        env: { PAWL_COMMIT_INCLUDE: 'notes.*' },
        committed: ['notes.txt'],
      },
    ],
    2,
  ),
)('the user’s untracked files $name', async ({ steps, env = {}, committed, back = false }) => {
  const files = { '.gitignore': '.env*\n' };
  await using scene = await makeStory({ turns: claimsDone(writeRight, ...steps), env, files });
  const { repo } = scene;
  await repo.write('notes.txt', 'mine\n');
  await repo.write('other.txt', 'mine\n');
  await repo.write('.env', 'KEY=1\n');
  await repo.write('.env.local', 'KEY=1\n');
  await repo.write('.env.link', 'KEY=3\n');
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(await repo.read('other.txt')).toBe('mine\n');
  expect(await repo.read('.env')).toBe('KEY=1\n');
  if (committed.length === 0) expect(await repo.read('notes.txt')).toBe('mine\n');
  const names = await repo.git('log', '--name-only', '--format=', 'main..HEAD');
  expect(names.split('\n').filter((file) => /^(notes|other)/.test(file))).toEqual(committed);
  const refused = factsOf(ended, 'file-refused').map((fact) => `${fact.file} ${fact.why}`);
  expect(refused).toEqual(back ? ['.env.link ignored', '.env.local ignored'] : []);
  const acts = factsOf(ended, 'act-found');
  expect(acts.map(({ act, response }) => `${act} ${response}`)).toEqual(
    back ? ['changed-user-file reported', 'changed-user-file reported', 'changed-user-file put-back'] : [],
  );
  // A person may change it at any time: it is left, and told with what brings it back.
  const [, undo = ''] =
    /\.env\.local; in no commit; git (cat-file blob \w+)/.exec(await readRun(scene)) ?? [];
  if (back) expect(await repo.git(...undo.split(' '))).toBe('KEY=1');
  // Of one that is a link by now the link goes first.
  const link = acts.find(({ detail }) => detail.startsWith('.env.link; '))?.detail ?? '';
  const told = /; (rm -r \.env\.link && git cat-file blob \w+ > \.env\.link) brings back/.exec(link)?.[1];
  if (back) execFileSync('sh', ['-c', told ?? 'false'], { cwd: repo.path });
  if (back) expect(await repo.read('.env.link')).toBe('KEY=3\n');
  // What the session made of it is in a rescue.
  for (const { kept } of acts.filter(({ response }) => response === 'put-back'))
    expect(await repo.git('show', `${kept}:notes.txt`)).toBe('theirs');
});

test('with nobody there, nothing begins on a red tree', async () => {
  await using scene = await makeStory({ plan: withChecks('- `false`'), turns: [] });
  const ended = await scene.run('--set', 'baseline=auto');
  expect(ended.exit, tell(ended)).toBe(2);
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(ended.events.at(-1)).toMatchObject({
    reasons: [{ text: 'red before the first task: false' }],
  });
});

describe('a check that is green by what its own runner reads', () => {
  const npm = { 'package.json': '{ "scripts": { "test": "sh check.sh" } }\n' };
  const turnsGreen = (where: string): Step => ({
    bash: `mkdir -p src && echo wrong > src/word.txt && echo "script-shell=$(command -v true)" > ${where}.npmrc`,
  });
  const rows: readonly Readonly<{
    name: string;
    /** Where the file is written. */
    where?: string;
    step?: string;
    kinds: readonly string[];
    proof: 'proven' | 'unchecked';
  }>[] = [
    {
      name: 'is the work where the task names the file',
      step: 'Write right to src/word.txt, and .npmrc as the others have it',
      kinds: [],
      proof: 'proven',
    },
    { name: 'in the home folder: the same', where: '~/', kinds: ['runner'], proof: 'unchecked' },
  ];
  test.each(share(rows, 3))('$name', async ({ where = '', step, kinds, proof }) => {
    await using scene = await makeStory({
      plan: formatPlan
        .replace('sh check.sh', 'npm test')
        .replace(/(- \[ \] ).*/, (line, box) => (step === undefined ? line : `${box}${step}`)),
      files: npm,
      // npm, which started these tests, names the file of its own home.
      env: { npm_config_userconfig: '' },
      turns: [{ when: 'of task 1 are green', steps: [sayDone] }, ...claimsDone(turnsGreen(where))],
    });
    const ended = await scene.run();
    expect(
      factsOf(ended, 'correction-sent').map(({ kind }) => kind),
      tell(ended),
    ).toEqual(kinds);
    expect(roundsOf(ended)).toEqual([`1 ${proof}`]);
    expect(ended.exit).toBe(proof === 'proven' ? 0 : 4);
    const receipt = await readRun(scene);
    if (proof === 'unchecked') {
      expect(receipt).toMatch(/\.npmrc is new, [^,]*, and the task does not name it/);
      expect(receipt).toMatch(
        /A file that a check depends on was changed \((?:\\~\/)?\.npmrc is new\): left as it is/,
      );
    }
  });
});

test('the check of another task is the work where the task names the file, and where it is made', async () => {
  const plan = `${formatPlan}- [ ] Let other.sh be stricter

### Task 2: Write the other word
- check: \`sh other.sh && sh made.sh\`
- [ ] Write right to src/other.txt
`;
  const first = `echo 'test -s src/other.txt' >> other.sh; echo 'sh check.sh' > made.sh`;
  await using scene = await makeStory({
    plan,
    files: { 'other.sh': 'grep -qx right src/other.txt\n' },
    turns: [
      { when: '### Task 1', steps: [writeRight, { bash: first }, sayDone] },
      { when: '### Task 2', steps: [{ bash: 'echo right > src/other.txt' }, sayDone] },
    ],
  });
  const ended = await scene.run();
  const acts = factsOf(ended, 'act-found').map(({ detail }) => detail);
  expect(acts, tell(ended)).toEqual(['other.sh was changed, as its text asks']);
  expect(roundsOf(ended)).toEqual(['1 proven', '2 proven']);
  expect(ended.exit).toBe(0);
});

test('what a task changed beside the files that it names is in the receipt', async () => {
  await using scene = await makeStory({
    plan: formatPlan.replace('- [ ]', '- files: src/*.txt\n- [ ]'),
    turns: claimsDone(writeRight, { bash: 'echo more >> README.md; echo x > extra.txt' }),
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'task-closed')).toMatchObject([{ outside: ['README.md', 'extra.txt'] }]);
  expect(await readRun(scene)).toContain(
    '- Not named in its `files:`, and changed: `README.md`, `extra.txt`',
  );
});
