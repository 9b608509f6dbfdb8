// What `pawl run` refuses of a plan and of words about it, before it opens the repository.
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inspectPlan } from '../../src/cli/inspect-plan.ts';
import type { RunOptions } from '../../src/cli/run-options.ts';
import { makeWorld, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  execFileSync('git', ['init', '-q'], { cwd: world.cwd });
  world.write('p.md', '# P\n\n### Task 1: a\n- [x] b\n\n### Task 2a: c\n- check: `false`\n- [ ] d\n');
});
afterEach(() => world[Symbol.dispose]());

const inspect = (options: RunOptions) =>
  inspectPlan(world.context(), 'p.md', { ...options, trust: true, dryRun: true });

test.each<[string, RunOptions]>([
  ['--task', { task: '3' }],
  ['--from', { from: 'review' }],
])('%s with a task that is not in the plan', async (flag, options) => {
  await expect(inspect(options)).rejects.toMatchObject({
    code: 'usage',
    message: `${flag}: there is no task ${Object.values(options)[0]} in p.md`,
    hint: 'Its tasks are 1, 2a.',
  });
});

test.each<[string, RunOptions]>([
  ['open', { task: '2a' }],
  ['closed, as after a kill', { task: '1', from: '1' }],
])('a task that is there, %s', async (_name, options) => {
  await expect(inspect(options)).resolves.toMatchObject({ plan: { title: 'P' } });
});
