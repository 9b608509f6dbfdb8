// What `pawl run` refuses of a plan and of words about it, before it opens the repository.
import { beforeEach, expect, test } from 'vitest';
import { inspectPlan } from '../../src/start/inspect-plan.ts';
import type { RunFlags } from '../../src/start/run-options.ts';
import { eachWorld } from '../cli/world.ts';

const world = eachWorld({ git: true });
beforeEach(() => {
  world.write('p.md', '# P\n\n### Task 1: a\n- [x] b\n\n### Task 2a: c\n- check: `false`\n- [ ] d\n');
});

const inspect = (options: RunFlags) =>
  inspectPlan(world.context(), 'p.md', { ...options, trust: true, dryRun: true });

test.each<[string, RunFlags]>([
  ['--task', { task: '3' }],
  ['--from', { from: 'review' }],
])('%s with a task that is not in the plan', async (flag, options) => {
  await expect(inspect(options)).rejects.toMatchObject({
    code: 'usage',
    message: `${flag}: there is no task ${Object.values(options)[0]} in p.md`,
    hint: 'Its tasks are 1, 2a.',
  });
});

test.each<[string, RunFlags]>([
  ['open', { task: '2a' }],
  ['closed, as after a kill', { task: '1', from: '1' }],
])('a task that is there, %s', async (_name, options) => {
  await expect(inspect(options)).resolves.toMatchObject({ plan: { title: 'P' } });
});

test.each([
  ['', ''],
  ['- [ ] c (manual)\n', '\nLeft to a person: c'],
  [
    '\n## L\n- [ ] c\n- [ ] d\n',
    '\nNot tracked by any task: c (line 5)\nNot tracked by any task: d (line 6)',
  ],
  ['- [ ] c (manual)\n'.repeat(10), `${'\nLeft to a person: c'.repeat(8)}\nAnd 2 more.`],
])('a plan with nothing open but %j is refused', async (text, words) => {
  world.write('p.md', `### Task 1: a\n- [x] b\n${text}`);
  await expect(inspect({})).rejects.toMatchObject({
    code: 'plan',
    message: `p.md has nothing left for an agent: all its tasks are closed${words}`,
  });
});

test.each<[string, () => void, string]>([
  ['no commit', () => {}, 'no commit yet'],
  [
    'changes',
    () => [world.write('a.txt', ''), world.commit('first'), world.write('a.txt', 'mine')],
    'own: a.txt',
  ],
])('a repository with %s is refused before anybody is asked to trust it', async (_, make, words) => {
  make();
  const asked = inspectPlan(world.context(), 'p.md', {});
  await expect(asked).rejects.toMatchObject({ code: 'preflight', message: expect.stringContaining(words) });
});

test('one that a run could start in is refused without trust, and changes that only its own filters may have made are no reason before', async () => {
  world.write('.gitattributes', '*.txt filter=own\n');
  world.write('a.txt', 'clean\n');
  world.commit('first');
  for (const name of ['clean', 'smudge']) world.git('config', `filter.own.${name}`, 'sed s/dirty/clean/');
  world.write('a.txt', 'dirty\n');
  await expect(inspectPlan(world.context(), 'p.md', {})).rejects.toMatchObject({ code: 'trust' });
});

test('outside a repository that comes first, whatever is named', async () => {
  const context = { ...world.context(), cwd: world.top };
  const message = `${world.top} is not in a git repository`;
  await expect(inspectPlan(context, 'nothing.md', {})).rejects.toMatchObject({ code: 'preflight', message });
});

test('the name of the plan that they are in can do nothing to the terminal', async () => {
  const name = 'a\nb\u001b[31mc.md';
  world.write(name, '### Task 1: a\n- [ ] b\n');
  const { notices } = await inspectPlan(world.context(), name, { dryRun: true });
  expect(notices).toContainEqual(expect.stringMatching(/^a bc\.md:1:1 warning task-without-check [^\n]*$/));
});

test('warnings of lint are told, the first of each kind, and where the others are shown', async () => {
  const tasks = Array.from({ length: 9 }, (_, at) => `### Task ${at + 1}: a\n- [ ] b\n\n`).join('');
  world.write('p.md', `${tasks}### Task 10: c\n- check: \`a\`\n- fils: d\n`);
  const { notices } = await inspect({});
  expect(notices.filter((text) => text.includes('p.md'))).toEqual([
    expect.stringMatching(/^p\.md:1:1 warning task-without-check .* \(and 8 more like this\)$/),
    expect.stringMatching(/^p\.md:28:1 warning task-without-steps task 10 has no boxes/),
    expect.stringMatching(/^p\.md:30:3 warning attribute-typo /),
    '`pawl lint p.md` shows all 11 warnings',
  ]);
});
