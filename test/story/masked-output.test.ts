// A secret of the environment or of the user's settings that an agent repeats is shown nowhere: not on the terminal, not as
// JSON, not in the logs, and goes into no commit.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { complaint, makeReview, reviewer } from '../helpers/review.ts';
import { share } from '../helpers/share.ts';

const file = 'docs/plans/plan.md';
const secret = 'hunter2hunter2';
const inSettings = 'correcthorsebattery';

test.each(
  share(
    [
      [['run', file, '--trust']],
      [['run', file, '--trust', '--verbose']],
      [['run', file, '--trust', '--json', '--verbose']],
    ],
    3,
  ),
)('pawl %j and the logs after it show the name of the secret', async (words) => {
  const says = [
    { say: `The token is ${secret}.` },
    { say: `The password is ${inSettings}.` },
    { bash: `echo ${secret} ${inSettings} > out.txt` },
    { say: `I used ${secret}.\n\n{{marker TASK_DONE}}` },
  ];
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [onTask('a', [write('a'), ...says])],
    env: { SOME_TOKEN: secret },
  });
  const log = path.join(scene.home, 'programs.ndjson');
  Object.assign(scene.env, { PAWL_DEBUG: log });
  mkdirSync(path.join(scene.home, '.config/pawl'), { recursive: true });
  // Nothing is sent: the run does not fail.
  const settings = `notify:\n  urls: [json://me:${inSettings}@127.0.0.1:9/]\n  on: [failed]\n`;
  writeFileSync(path.join(scene.home, '.config/pawl/config.yaml'), settings);
  const ended = await expectExit(0, scene.pawl(...words));
  const message = await scene.repo.git('log', '-1', '--format=%B');
  expect(message).toContain('I used [SOME_TOKEN].');
  expect(message).not.toContain(secret);
  const logs = [['logs'], ['logs', '--verbose'], ['logs', '--json', '--verbose']];
  for (const shown of [ended, ...(await Promise.all(logs.map((each) => scene.pawl(...each))))]) {
    const text = `${shown.stdout}${shown.stderr}`;
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(inSettings);
  }
  expect(ended.stdout).toContain('[SOME_TOKEN]');
  const debug = readFileSync(log, 'utf8');
  expect(debug).not.toContain('hunter2');
  expect(debug).not.toContain(inSettings);
  expect(debug).toMatch(/"argv":\["[^"]*git",.*"pid":\d+,"code":0,.*"ms":\d/);
});

test('a task whose title and check hold what a variable hides goes on as the same task, and fails after its attempts', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a')
      .replace('Write a', 'Write password a')
      .replace('grep -qx a a.txt', 'grep password a.txt'),
    turns: [{ when: '### Task 1', steps: [{ bash: 'date +%N > a.txt' }, done] }],
    env: { POSTGRES_PASSWORD: 'password', PAWL_TASK_ATTEMPTS: '2', PAWL_BUDGETS_MAX_SESSIONS: '4' },
  });
  const ended = await expectExit(1, scene.run());
  expect(factsOf(ended, 'task-started')).toMatchObject([
    { title: 'Write [POSTGRES_PASSWORD] a', red: ['task:1:1'] },
  ]);
  await scene.rewrite([{ when: '### Task 1', steps: [{ bash: 'echo password > a.txt' }, done] }]);
  const again = await expectExit(0, scene.again());
  expect(factsOf(again, 'task-closed')).toMatchObject([{ proof: 'proven' }]);
});

test('a variable on the command line is in no command that continues the run', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [{ when: '### Task 1', steps: [done] }],
  });
  await expectExit(1, scene.run('--set', `sandbox.env=SOME_TOKEN=${secret}`, '--set', 'task.attempts=1'));
  const { stdout } = await scene.pawl('status');
  expect(stdout).toContain("--set 'sandbox.env=SOME_TOKEN=[SOME_TOKEN]'");
  expect(stdout).not.toContain(secret);
});

test('fewer tests are missed although a variable hides the name of what counts them', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a').replace('### Task', '## Validation Commands\n- `sh count.sh password`\n\n### Task'),
    files: { 't/1': '', 't/2': '', 'count.sh': 'echo "=== $(ls t | wc -l) passed in 0.01s ==="\n' },
    turns: [onTask('a', [{ bash: 'rm t/2' }, write('a'), done])],
    env: { POSTGRES_PASSWORD: 'password', PAWL_BASELINE: 'warn' },
  });
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'task-closed')).toMatchObject([
    { proof: 'unchecked', reason: expect.stringContaining('fewer tests passed: 1, and 2 before') },
  ]);
});

test('a proof that a variable hides a word of is not run, since the journal has another', async () => {
  const proof = { command: 'grep -q right src/word.txt', patch: '' };
  await using scene = await makeReview({
    turns: [reviewer('quality', [complaint({ severity: 'minor', proof })]), reviewer('testing', [])],
    env: { POSTGRES_PASSWORD: 'right src' },
  });
  const ended = await scene.run();
  expect(factsOf(ended, 'finding-tried')).toEqual([]);
  expect(factsOf(ended, 'work-planned')).toEqual([]);
});
