// The plan of a run is a value: nothing in it is alive, and making it touches nothing.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runPlan } from '../../src/cli/run.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { prepareReview } from '../../src/start/prepare-review.ts';
import { prepareRun } from '../../src/start/run-plan.ts';
import { eachWorld, type World } from '../cli/world.ts';
import { writeRun } from '../helpers/write-run.ts';

const world = eachWorld({ git: true });
const git: World['git'] = (...args) => world.git(...args);

beforeEach(() => {
  world.write(
    'p.md',
    '# P\n\n## Checks\n- `true`\n- `false` (at end)\n```sh\ntrue\nls\n```\n\n### Task 1: a\n- check numbers: `false`\n- [ ] b\n',
  );
  world.commit('first');
  world.program('mine', ':');
});

const context = () =>
  world.context({
    env: {
      ...world.context().env,
      PATH: `${world.bin}:/usr/bin:/bin`,
      PAWL_AGENT_NAME: 'script',
      PAWL_AGENT_SCRIPT_COMMAND: 'mine',
    },
  });

test('of a plan', async () => {
  const before = git('status', '--porcelain', '--branch') + git('for-each-ref');
  const options = { trust: true, task: '1', quiet: true, pr: true, push: true };
  const { runPlan } = await prepareRun(context(), 'p.md', options);
  expect(structuredClone(runPlan)).toEqual(runPlan);
  expect(runPlan).toMatchObject({
    document: { title: 'P' },
    options: { task: '1' },
    flags: { quiet: true, pr: true, push: true },
    caps: { settings: [{ budget: 'sessions', from: 'default' }] },
    about: { ground: { agent: 'script', trusted: true } },
  });
  expect(git('status', '--porcelain', '--branch') + git('for-each-ref')).toBe(before);
  expect(existsSync(path.join(world.cwd, '.git/pawl'))).toBe(false);
});

test('of an unfinished run, whose own branch a dry run shows', async () => {
  writeRun(path.join(world.cwd, '.git'), { plan: 'p.md', branch: 'main' });
  const { stdout } = await world.run(runPlan, { dryRun: true, trust: true }, ['p.md'], {
    env: context().env,
  });
  expect(stdout).toContain('Branch: main\n');
  expect(stdout).toContain('Checks after each task: true; false (at end); true … (2 lines)\n');
});

test('of another plan, while a live run’s session has changed the tree', async () => {
  world.write('q.md', '# Q\n\n### Task 1: a\n- check: `false`\n- [ ] b\n');
  world.commit('second');
  world.write('p.md', 'of a session');
  using _lock = acquireLock(path.join(world.cwd, '.git'), 'its-run', new Date());
  await expect(prepareRun(context(), 'q.md', { trust: true })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringContaining('works on run its-run'),
  });
});

test('of a review', async () => {
  git('switch', '-qc', 'work');
  world.write('a', 'a');
  world.commit('second');
  git('commit', '-qm', '- 3rd', '--allow-empty');
  // `pawl pr answer` has no --pr that its next start could repeat.
  const { runPlan: answering } = await prepareReview(context(), { answers: true, trust: true });
  expect(answering).toMatchObject({ about: { ground: { trusted: true } } });
  expect([answering.about.ground.flags, answering.flags.push]).toEqual([undefined, undefined]);
  const { runPlan } = await prepareReview(context(), { reportOnly: true });
  expect(structuredClone(runPlan)).toEqual(runPlan);
  expect(runPlan).toMatchObject({ planFile: 'review.md', about: { review: { reportOnly: true } } });
  expect([runPlan.document, runPlan.goal]).toEqual([
    undefined,
    expect.stringMatching(/:\n\n- second\n- - 3rd\n$/),
  ]);
  expect(existsSync(path.join(world.cwd, '.git/pawl'))).toBe(false);
});
