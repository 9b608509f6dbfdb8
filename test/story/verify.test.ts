import { expect, test } from 'vitest';
import { done } from '../helpers/letters.ts';
import { faultAt, makeNight } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const fresh = { PAWL_VERIFY: 'fresh' };

function planOf(check: string): string {
  return `# Plan: P\n\n### Task 1: Make it\n- check: \`${check}\`\n- [ ] Make it\n`;
}

const make = (bash: string) => [{ when: '### Task', steps: [{ bash }, done] }];

inSoak.each([
  [
    'an executable bit that git does not see',
    './run.sh',
    'chmod +x run.sh; echo x > x',
    { 'run.sh': 'true\n' },
  ],
  ['an empty folder', 'test -d cache && test -e x', 'mkdir cache; echo x > x', {}],
])('%s is green in the tree alone', async (_, check, bash, files) => {
  await using scene = await makeNight({ plan: planOf(check), files, turns: make(bash), env: fresh });
  await scene.repo.git('config', 'core.fileMode', 'false');
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([{ code: 'red-in-fresh-checkout' }]);
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([{ result: 'red', red: [check] }]);
});

test('a checkout is set up as a worktree is, and what the commit holds is green in it; one that cannot be proves nothing', async () => {
  const plan = planOf('test -e tool && test -e x');
  const files = { '.gitignore': 'tool\n', 'setup.sh': 'touch tool\n' };
  const turns = make('touch tool; echo x > x');
  const verify = async (setup: string) => {
    const env = { ...fresh, PAWL_PROVE: 'report', PAWL_WORKTREE_SETUP: setup };
    await using scene = await makeNight({ plan, files, turns, env });
    const ended = await expectExit(0, scene.run());
    const [proof] = factsOf(ended, 'proof-judged');
    return { verified: factsOf(ended, 'fresh-verified'), proof, report: await readRun(scene) };
  };
  const set = await verify('sh setup.sh');
  expect(set.verified).toMatchObject([{ result: 'green' }]);
  expect(set.proof?.word).toBe('proven');
  expect(set.report).toContain('green in a fresh checkout');
  const unset = await verify('false');
  expect(unset.verified).toMatchObject([{ result: 'not-verified' }]);
  expect(unset.proof).toMatchObject({ word: 'passed', reasons: [expect.stringMatching(/worktree\.setup/)] });
});

test('red at the end: a check that an ignored file alone makes green, one that a later task broke, and a task of which nothing stands any more', async () => {
  const task = (id: number, check: string) =>
    `### Task ${id}: Make it\n- check: \`${check}\`\n- [ ] Do ${id}\n\n`;
  const checks = ['test -e lib/a.js', 'test -e b', 'test -e c || test -e d', 'test -e d'];
  const acts = [
    'mkdir lib; echo a > lib/a.js; echo x > x',
    'echo b > b; echo k > kept',
    'echo c > c',
    'rm b c; echo d > d',
  ];
  await using scene = await makeNight({
    plan: `# Plan: P\n\n${checks.map((check, at) => task(at + 1, check)).join('')}`,
    files: { '.gitignore': 'lib/\n' },
    turns: acts.map((bash, at) => ({ when: `### Task ${at + 1}:`, steps: [{ bash }, done] })),
    env: fresh,
  });
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([
    { result: 'red', red: ['test -e lib/a.js'], broken: ['test -e b'] },
  ]);
  const codes = factsOf(ended, 'run-ended')[0]?.reasons.map(({ code }) => code);
  expect(codes?.toSorted()).toEqual(['red-at-end', 'red-in-fresh-checkout', 'undone']);
  const report = await readRun(scene);
  expect(report).toContain('red in a fresh checkout');
  expect(report).toContain('this check was green before, but is red on');
});

test('red at the end: a check that closed a task, and that a later one left nothing to run of', async () => {
  const task = (id: number, check: string) =>
    `### Task ${id}: Make it\n- files: run.sh\n- check: \`${check}\`\n- [ ] Do ${id}\n\n`;
  await using scene = await makeNight({
    plan: `# Plan: P\n\n${task(1, 'bash ./run.sh && test -e a')}${task(2, 'test -e b')}`,
    files: { 'run.sh': 'true\n' },
    turns: ['echo a > a', 'rm run.sh; echo b > b'].map((bash, at) => ({
      when: `### Task ${at + 1}:`,
      steps: [{ bash }, done],
    })),
    // The journal masks it.
    env: { ...fresh, RUN_KEY: 'bash ./run.sh' },
  });
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'fresh-verified')).toMatchObject([
    { result: 'red', red: [], broken: ['[RUN_KEY] && test -e a'] },
  ]);
});

test('red at the end: a check that was green after the tasks, until a person committed', async () => {
  const breaks = 'touch broken; git add broken; git commit -qm mine';
  await using scene = await makeNight({
    plan: `# Plan: P\n\n## Checks\n- \`! test -e broken\` (at end)\n\n${planOf('test -e x').replace('# Plan: P\n\n', '')}`,
    turns: make('echo x > x'),
    env: { ...fresh, ...faultAt('journal phase#4', breaks) },
  });
  const ended = await expectExit(4, scene.run());
  const checks = factsOf(ended, 'check-ended').map(
    ({ when, command, result }) => `${when} ${command} ${result}`,
  );
  expect(checks).toContain('at-end ! test -e broken green');
  expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([{ code: 'red-at-end' }]);
});
