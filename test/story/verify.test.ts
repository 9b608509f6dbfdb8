// The end of a run, held against a fresh checkout of its branch: what only the run's own tree has proves nothing there.
import { expect, test } from 'vitest';
import { done, onTask } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const fresh = { PAWL_VERIFY: 'fresh' };

function planOf(check: string): string {
  return `# Plan: P\n\n### Task 1: Make it\n- check: \`${check}\`\n- [ ] Make it\n`;
}

const make = (bash: string) => [{ when: '### Task', steps: [{ bash }, done] }];

test.each(
  share(
    [
      [
        'an ignored file',
        'test -e lib/a.js',
        'mkdir lib; echo a > lib/a.js; echo x > x',
        { '.gitignore': 'lib/\n' },
      ],
      [
        'an executable bit that git does not see',
        './run.sh',
        'chmod +x run.sh; echo x > x',
        { 'run.sh': '#!/bin/sh\n' },
      ],
      ['an empty folder', 'test -d cache && test -e x', 'mkdir cache; echo x > x', {}],
    ],
    3,
  ),
)('%s is green in the tree alone', async (_, check, bash, files) => {
  await using scene = await makeNight({ plan: planOf(check), files, turns: make(bash), env: fresh });
  await scene.repo.git('config', 'core.fileMode', 'false');
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([{ code: 'red-in-fresh-checkout' }]);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([{ result: 'red', red: [check] }]);
  expect(await readRun(scene)).toContain('red in a fresh checkout');
});

test('what the commit holds is green in a fresh checkout, once', async () => {
  await using scene = await makeNight({ plan: planOf('test -e x'), turns: make('echo x > x'), env: fresh });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([{ result: 'green' }]);
  expect(await readRun(scene)).toContain('green in a fresh checkout');
});

test('a checkout is set up as a worktree is, and one that cannot be proves nothing', async () => {
  const plan = planOf('test -e tool && test -e x');
  const files = { '.gitignore': 'tool\n', 'setup.sh': 'touch tool\n' };
  const turns = make('touch tool; echo x > x');
  await using scene = await makeNight({
    plan,
    files,
    turns,
    env: { ...fresh, PAWL_WORKTREE_SETUP: 'sh setup.sh' },
  });
  const set = await scene.run();
  expect(set.exit, tell(set)).toBe(0);
  await using other = await makeNight({
    plan,
    files,
    turns,
    env: { ...fresh, PAWL_WORKTREE_SETUP: 'false' },
  });
  const unset = await other.run();
  expect(unset.exit, tell(unset)).toBe(0);
  expect(factsOf(unset, 'fresh-verified')).toMatchObject([{ result: 'not-verified' }]);
});

test('a check that closed a task and that a later task broke is red at the end', async () => {
  const plan = `# Plan: P\n\n### Task 1: Write a\n- check: \`test -e a.txt\`\n- [ ] a\n\n### Task 2: Write b\n- check: \`test -e b.txt\`\n- [ ] b\n`;
  await using scene = await makeNight({
    plan,
    turns: [
      onTask('a', [{ bash: 'echo a > a.txt; echo k > kept.txt' }, done]),
      onTask('b', [{ bash: 'rm a.txt; echo b > b.txt' }, done]),
    ],
    env: fresh,
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([
    { result: 'red', red: [], broken: ['test -e a.txt'] },
  ]);
  expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([{ code: 'red-at-end' }]);
  expect(await readRun(scene)).toContain('a task was closed by this check, but it is red on');
});

test('a closed task of which nothing stands any more is not done', async () => {
  const plan = `# Plan: P\n\n### Task 1: Write a\n- check: \`test -e a.txt || test -e b.txt\`\n- [ ] a\n\n### Task 2: Write b\n- check: \`test -e b.txt\`\n- [ ] b\n`;
  await using scene = await makeNight({
    plan,
    turns: [
      onTask('a', [{ bash: 'echo a > a.txt' }, done]),
      onTask('b', [{ bash: 'rm a.txt; echo b > b.txt' }, done]),
    ],
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([{ code: 'undone' }]);
});
