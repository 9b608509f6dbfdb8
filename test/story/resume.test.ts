// A run between two starts: who holds the tree, what a person changed meanwhile, what commands say about it. What pawl
// does next is read from events, git and files.
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, expectNoProcess, killAt, makeNight, type Night, startTo } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const file = 'docs/plans/plan.md';
const hangs: Step = { bash: 'echo half > half.txt; tail -f /dev/null' };

/** A run whose first task is closed and whose second is open, stopped. */
async function makeStopped(...turns: readonly ReturnType<typeof onTask>[]): Promise<Night> {
  const scene = await makeNight({ turns: turns.length > 0 ? turns : honest('a', 'b') });
  const stopped = await expectExit(0, scene.run('--max-tasks', '1'));
  expect(stopped.events.at(-1)).toMatchObject({ type: 'run-ended', finished: false });
  return scene;
}

async function tick({ repo }: Night, task: number, from: string, to: string): Promise<void> {
  const [head = '', ...tasks] = (await repo.read(file)).split(/(?=^### )/m);
  const text = tasks.map((part, at) => (at === task - 1 ? part.replaceAll(from, to) : part));
  await repo.write(file, [head, ...text].join(''));
}

test('a second pawl on the tree is refused with the pid of the first; the lock of a dead one is taken over (67), and the plan that its session removed is back', async () => {
  const removes: Step = { bash: 'rm -r docs; echo half > half.txt; tail -f /dev/null' };
  await using scene = await makeNight({ turns: [onTask('a', [removes], true), ...honest('a', 'b')] });
  const running = await startTo(scene, 'half.txt');
  const refused = await expectExit(2, scene.run());
  expect(refused.stderr).toContain(`process ${running.child.pid}`);
  expect(refused.events).toEqual([]);
  expect(await status(scene)).toMatchObject({ state: 'working', holder: { pid: running.child.pid } });
  running.child.kill('SIGKILL');
  await running.ended;
  await expectNoProcess(scene);
  expect(await status(scene)).toMatchObject({ state: 'died' });
  await expectExit(0, scene.run());
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(await scene.repo.read(file)).toBe(letterPlan('a', 'b').replaceAll('[ ]', '[x]'));
  expect(await status(scene)).toMatchObject({ state: 'finished' });
});

async function status(scene: Night): Promise<unknown> {
  const asked = await expectExit(0, scene.pawl('status', '--json'));
  return JSON.parse(asked.stdout);
}

test('kill -9, and a person commits before the next start: their commit stays; on the agent’s own they are asked. A closed task whose commit was rewritten away ends with exit 8 that names the commit; one amended by hand is taken, and one unticked by hand is done again', async () => {
  const commits: Step = { bash: 'echo agent > b.txt; git add b.txt; git commit -qm agent' };
  const more: Step = { bash: 'echo a > a.txt; echo more > more.txt' };
  await using scene = await makeNight({
    turns: [
      onTask('a', [commits, hangs], true),
      onTask('a', [write('a'), done], true),
      onTask('a', [more, done]),
      ...honest('b'),
    ],
  });
  const { repo } = scene;
  await endAt(scene, 'half.txt');
  await expectNoProcess(scene);
  await repo.write('README.md', 'by hand\n');
  await repo.git('commit', '-qam', 'by hand');
  const asked = await expectExit(8, scene.run());
  const [reason] = factsOf(asked, 'run-ended')[0]?.reasons ?? [];
  expect(reason).toMatchObject({ code: 'history', text: expect.stringContaining('somebody continued') });
  const hint = /`git (rebase [^`]+)`/.exec(reason?.hint ?? '')?.[1] ?? '';
  expect(await repo.log()).toEqual(['by hand', 'agent', 'start']);

  await repo.git(...hint.split(' '));
  await repo.write('staged.txt', 'staged\n');
  await repo.git('add', 'staged.txt');
  await repo.write('staged.txt', 'changed\n');
  const again = await expectExit(0, scene.run('--max-tasks', '1'));
  expect(factsOf(again, 'intervention').map(({ text }) => text)).toContain(
    '1 commit on plan by hand after the run was cut off',
  );
  const saved = factsOf(again, 'rescue-saved').find(({ reason }) => reason.includes('by hand'))?.oid ?? '';
  const parents = (await repo.git('rev-parse', `${saved}^@`)).split('\n');
  const staged = parents.map((oid) => repo.git('show', `${oid}:staged.txt`).catch(() => ''));
  expect(await Promise.all(staged)).toContain('staged');
  expect(await repo.log()).toEqual(['Write a', 'by hand', 'start']);

  const oid = await repo.git('rev-parse', 'HEAD');
  await repo.write('a.txt', 'by hand\n');
  await repo.git('commit', '-qa', '--amend', '-m', 'mine now');
  const lost = await expectExit(8, scene.run());
  expect(lost.events.at(-1)).toMatchObject({
    reasons: [{ code: 'history', text: expect.stringContaining(oid.slice(0, 12)) }],
  });
  expect(factsOf(lost, 'session-started')).toEqual([]);

  await repo.git('checkout', '-q', oid, '--', 'a.txt');
  await repo.git('commit', '-qa', '--amend', '-m', 'mine now');
  await tick(scene, 1, '[x]', '[ ]');
  const taken = await expectExit(0, scene.run());
  expect(factsOf(taken, 'task-reopened')).toMatchObject([{ task: '1', by: 'hand' }]);
  expect(await repo.log()).toEqual(['Write b', 'Write a', 'mine now', 'by hand', 'start']);
  expect(await repo.git('status', '--porcelain')).toBe('');
});

test('kill -9, and a person mends a check before the next start: they say once that it is theirs, and no session pays for it', async () => {
  const plan = letterPlan('a').replace('`grep', '`sh check.sh && grep');
  await using scene = await makeNight({
    plan,
    files: { 'check.sh': 'exit 1\n' },
    turns: [onTask('a', [hangs], true), ...honest('a')],
  });
  const { repo } = scene;
  await endAt(scene, 'half.txt');
  await expectNoProcess(scene);
  await repo.write('check.sh', 'true\n');
  await repo.git('commit', '-qam', 'mend the check');
  for (const _ of [1, 2]) {
    const asked = await expectExit(8, scene.run());
    expect(factsOf(asked, 'run-ended')[0]?.reasons).toMatchObject([
      { code: 'history', text: expect.stringContaining('committed check.sh') },
    ]);
    expect(factsOf(asked, 'session-started')).toEqual([]);
  }
  const taken = await expectExit(0, scene.run('--take-edits'));
  expect(factsOf(taken, 'definitions-taken')).toMatchObject([{ task: '1', changed: ['check.sh'] }]);
  expect(factsOf(taken, 'act-found')).toEqual([]);
  expect(factsOf(taken, 'session-started')).toHaveLength(1);
  expect(await repo.log()).toEqual(['Write a', 'mend the check', 'start']);
});

test.each([
  ['a person mends its check: their commit is no session’s work', 'echo x > a.txt', 0],
  [
    'a person commits what the session did to its check: that stays its work',
    'echo x > a.txt; echo true > check.sh',
    1,
  ],
] as const)('kill -9 between two sessions of a task, and %s', async (_, bash, exit) => {
  const plan = letterPlan('a').replace('`grep', '`sh check.sh && grep');
  await using scene = await makeNight({
    plan,
    files: { 'check.sh': 'exit 1\n' },
    turns: [onTask('a', [{ bash }, done], true), ...honest('a')],
    env: { ...killAt('journal attempt-started#2'), PAWL_TASK_ATTEMPTS: '2' },
  });
  const { repo } = scene;
  expect((await scene.run()).signal).toBe('SIGKILL');
  await repo.write('check.sh', 'true\n');
  await repo.git('commit', '-qm', 'mend the check', 'check.sh');
  const ended = await expectExit(exit, scene.again());
  const taken = factsOf(ended, 'definitions-taken').flatMap(({ changed }) => changed);
  expect(taken).toEqual(exit === 0 ? ['check.sh'] : []);
  expect(factsOf(ended, 'session-started')).toHaveLength(1);
  expect(await repo.log()).toEqual([...(exit === 0 ? ['Write a'] : []), 'mend the check', 'start']);
});

test('interrupted in its checks, and once more as the next start runs them, a finished session is still judged without another', async () => {
  const waits = 'if test -e .git/one; then touch .git/two; else touch .git/one; fi; sleep 600';
  const check = `test ! -e a.txt || test -e .git/two || { ${waits}; }; grep`;
  const plan = letterPlan('a').replace('`grep', `\`${check}`);
  await using scene = await makeNight({ plan });
  const stops = [await endAt(scene, '.git/one', 'SIGINT'), await endAt(scene, '.git/two', 'SIGINT')];
  expect(stops.map(({ exit }) => exit)).toEqual([130, 130]);
  const ended = await expectExit(0, scene.run());
  expect([...stops, ended].flatMap((one) => factsOf(one, 'session-started'))).toHaveLength(1);
});

test('interrupted in a check that hangs, and a person mends it: it is known to be theirs', async () => {
  const plan = letterPlan('a').replace('`grep', '`sh check.sh && grep');
  const files = { 'check.sh': 'test ! -e a.txt || { touch .git/one; sleep 600; }\n' };
  await using scene = await makeNight({ plan, files });
  await endAt(scene, '.git/one', 'SIGINT');
  await scene.repo.write('check.sh', 'true\n');
  await scene.repo.git('commit', '-qm', 'mend the check', 'check.sh');
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'definitions-taken')).toMatchObject([{ changed: ['check.sh'] }]);
  expect(await scene.repo.log()).toEqual(['Write a', 'mend the check', 'start']);
});

test('a plan that is renumbered while a task is stopped: its work is kept aside, and no part of the number’s new task', async () => {
  const turns = [onTask('a', [hangs], true), ...honest('z', 'a')];
  await using scene = await makeNight({ turns, plan: letterPlan('a') });
  const { repo } = scene;
  await endAt(scene, 'half.txt', 'SIGINT');
  await repo.write(file, letterPlan('z', 'a'));
  const ended = await expectExit(0, scene.run());
  expect(await repo.log()).toEqual(['Write a', 'Write z', 'start']);
  expect(await repo.git('ls-files', '*.txt')).toBe('a.txt\nz.txt');
  const [reopened] = factsOf(ended, 'task-reopened');
  const kept = /rescue show (\w+)/.exec(reopened?.detail ?? '')?.[1] ?? '';
  expect(await repo.git('ls-tree', '--name-only', kept, 'half.txt')).toBe('half.txt');
});

inSoak(
  'kill -9, and a person squashes the run’s commits before the next start: taken, between two sessions and after a cut-off one',
  async () => {
    const turns = [...honest('a'), onTask('b', [hangs], true), ...honest('b', 'c')];
    const env = killAt('journal task-started#2');
    await using scene = await makeNight({ turns, env, plan: letterPlan('a', 'b', 'c') });
    const { repo } = scene;
    expect((await scene.run()).signal).toBe('SIGKILL');
    await repo.git('commit', '-q', '--amend', '-m', 'mine');
    delete scene.env['KILL_PAWL_AT'];
    const second = await endAt(scene, 'half.txt');
    await expectNoProcess(scene);
    await repo.git('commit', '-q', '--amend', '-m', 'mine now');
    const third = await expectExit(0, scene.run());
    const told = [second, third].flatMap((one) => factsOf(one, 'intervention').map(({ text }) => text));
    const text = 'the commits were put into others by hand';
    expect(told).toEqual([text]);
    expect(factsOf(third, 'session-started').map(({ task }) => task)).toEqual(['2', '3']);
    expect(await repo.log()).toEqual(['Write c', 'Write b', 'mine now', 'start']);
  },
);

describe('after a stop', () => {
  test('a file changed by hand is named and refused, each time, until --take-edits takes it; another plan is left alone; what a person mends of the checks holds, what the agent did to them is still its own', async () => {
    // What no commit takes is named where it is a person's, not where the session left it.
    const leaves: Step = { bash: 'echo x > .env; echo true > lint.sh' };
    const removes: Step = { bash: 'unlink .env' };
    await using scene = await makeNight({
      plan: letterPlan('a', 'b').replace('\n### ', '\n## Checks\n- `sh test.sh`\n- `sh lint.sh`\n\n### '),
      files: { 'test.sh': 'exit 1\n', 'lint.sh': 'test -f a.txt\n' },
      turns: [
        onTask('a', [write('a'), leaves, hangs], true),
        {
          when: 'lint.sh was changed, and it decides about',
          once: true,
          steps: [write('a'), { bash: 'git checkout -q lint.sh' }, done],
        },
        onTask('a', [removes, write('a'), done]),
        ...honest('b'),
      ],
    });
    const { repo } = scene;
    await repo.write('notes.txt', 'of mine\n');
    expect((await endAt(scene, 'half.txt', 'SIGINT')).exit).toBe(130);
    await repo.write('notes.txt', 'more of mine\n');
    await repo.git('clean', '-q', '-f', 'half.txt');
    await repo.write('README.md', 'by hand\n');
    await repo.write('docs/plans/other.md', letterPlan('z'));
    await repo.write('.env.local', 'mine\n');
    for (const _ of [1, 2]) {
      const refused = await expectExit(2, scene.run());
      expect(refused.events.at(-1)).toMatchObject({
        reasons: [{ text: 'files changed since the run stopped: README.md, .env.local' }],
      });
      expect(factsOf(refused, 'session-started')).toEqual([]);
      expect(factsOf(refused, 'intervention').map(({ kind }) => kind)).toEqual(['rerun']);
    }
    await repo.git('clean', '-q', '-f', '.env.local');
    await repo.write('test.sh', 'test -f a.txt\n');
    await repo.git('commit', '-qm', 'mend the test', 'test.sh');
    const taken = await expectExit(0, scene.run('--take-edits'));
    expect(factsOf(taken, 'intervention').map(({ text }) => text)).toEqual([
      'the run was started again',
      'commits were made or removed by hand',
      'taken into the open task: README.md',
    ]);
    expect(factsOf(taken, 'definitions-taken')).toMatchObject([{ task: '1', changed: ['test.sh'] }]);
    const details = factsOf(taken, 'act-found').map(({ detail }) => detail);
    expect(details).toEqual([expect.stringMatching(/^lint\.sh was changed/)]);
    expect(await repo.read('lint.sh')).toBe('test -f a.txt\n');
    expect(await repo.git('show', 'HEAD~1:README.md')).toBe('by hand');
    expect(await repo.log()).toEqual(['Write b', 'Write a', 'mend the test', 'start']);
    expect(await repo.git('status', '--porcelain')).toBe('?? docs/plans/other.md\n?? notes.txt');
  });

  inSoak('a task whose commit was dropped with its ticks is open again and done again', async () => {
    await using scene = await makeStopped();
    await scene.repo.git('reset', '-q', '--hard', 'HEAD~1');
    const again = await expectExit(0, scene.run());
    expect(factsOf(again, 'task-reopened')).toMatchObject([{ task: '1', by: 'hand' }]);
    expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
  });
});

/** A hook that kills pawl once, by the pid in its lock, and then holds the commit up. */
const killingHook = `#!/bin/sh
if mkdir .git/killed 2>/dev/null; then
  kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .git/pawl/lock)
  exec sleep 31337
fi
`;
const addingHook = '#!/bin/sh\necho hook >> hook.txt && git add hook.txt\n';

// In the commit, without a hook: test/soak.
inSoak.each([
  { name: 'inside the commit, by its hook', hook: killingHook, env: {} },
  {
    name: 'after a commit whose tree a hook had changed',
    hook: addingHook,
    env: killAt('journal task-closed#1'),
  },
])('kill -9 $name: the task is closed once and never worked on again', async ({ hook, env }) => {
  await using scene = await makeNight({ env });
  await scene.repo.write('.git/hooks/pre-commit', hook);
  await expectExit('SIGKILL', scene.run());
  await expectNoProcess(scene);
  const again = await expectExit(0, scene.again());
  expect(factsOf(again, 'session-started').map(({ task }) => task)).toEqual(['2']);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
});

inSoak.each([
  ['broke the plan', `echo '### Task 1 Write' > ${file}`],
  ['made the plan a link', `mv ${file} .git/other.md; ln -s ../../.git/other.md ${file}`],
  [
    'left for another branch without the plan',
    'git switch -q --orphan aside; git commit -q --allow-empty -m aside',
  ],
])('kill -9 after the session %s: the same command puts all back and goes on', async (_name, harm) => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [
      onTask('a', [{ bash: `${harm}; echo half > half.txt; tail -f /dev/null` }], true),
      ...honest('a'),
    ],
  });
  await endAt(scene, 'half.txt');
  await expectNoProcess(scene);
  await expectExit(0, scene.run());
  expect(await scene.repo.log()).toEqual(['Write a', 'start']);
  expect(await scene.repo.read(file)).toBe(letterPlan('a').replace('[ ]', '[x]'));
  expect(await scene.repo.git('branch', '--show-current')).toBe('plan');
});
