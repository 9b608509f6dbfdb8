// Starts of a run that are refused or killed before its first task: nothing is left behind that a later start would take
// for something else.
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, letterPlan, onTask } from '../helpers/letters.ts';
import { killAt, makeNight } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';

const plan = 'docs/plans/plan.md';

// Refused for changed files: resume.test.ts.
inSoak('refused on another branch: the next start still knows what the stop left', async () => {
  await using scene = await makeNight();
  const { repo } = scene;
  await expectExit(0, scene.run('--max-tasks', '1'));
  await repo.git('switch', '-q', 'main');
  const refused = await expectExit(2, scene.run());
  expect(refused.events).toEqual([]);
  await repo.git('switch', '-q', 'plan');
  await repo.write('README.md', 'by hand\n');
  const asked = await expectExit(2, scene.run());
  expect(factsOf(asked, 'run-resumed')).toMatchObject([{ after: 'stop' }]);
  expect(asked.stdout).toContain('files changed since the run stopped: README.md');
});

test.each(
  share(
    [
      [
        'all closed',
        async ({ repo }: Scene): Promise<void> =>
          void (await repo.write(plan, letterPlan('a').replace('[ ]', '[x]'))),
        'the branch plan, where all its tasks are closed',
      ],
      [
        'archived',
        async ({ repo }: Scene): Promise<void> => void (await repo.git('mv', plan, 'docs/plan.md')),
        'the branch plan, which no longer has that file',
      ],
    ] as const,
    2,
  ),
)(
  'a plan that is open here, and %s on a branch that has its name: refused, by name',
  async (_, change, says) => {
    await using scene = await makeNight({ plan: letterPlan('a') });
    const { repo } = scene;
    await repo.git('switch', '-qc', 'plan');
    await change(scene);
    await repo.git('commit', '-qam', 'done elsewhere');
    await repo.git('switch', '-q', 'main');
    const commands: (() => Promise<Ended>)[] = [
      scene.run,
      () => scene.pawl('run', plan, '--dry-run', '--trust'),
    ];
    for (const command of commands) {
      const refused = await expectExit(2, command());
      expect(refused.stderr).toMatch(/open here, on main[\s\S]*git merge plan[\s\S]*--branch plan-2/);
      expect(refused.stderr).toContain(says);
    }
    expect(await repo.git('branch', '--show-current')).toBe('main');
    await expectExit(0, scene.run('--branch', 'plan-2'));
    expect(await repo.git('log', '--format=%s', 'main..plan-2')).toBe('Write a');
  },
);

inSoak(
  'a plan that is named by a link stays where the link leads, and a later start knows that, too',
  async () => {
    await using scene = await makeNight({
      files: { 'kept/plan.md': letterPlan('a', 'b') },
      env: { PAWL_ARCHIVE: 'true' },
    });
    const { repo } = scene;
    await repo.git('rm', '-q', plan);
    await mkdir(path.join(repo.path, 'docs/plans'), { recursive: true });
    await symlink('../../kept/plan.md', path.join(repo.path, plan));
    await repo.commit('a link');
    await scene.run('--max-tasks', '1');
    const ended = await expectExit(0, scene.pawl('run', 'kept/plan.md', '--json', '--trust'));
    expect(factsOf(ended, 'plan-archived')).toEqual([]);
    const text = 'The plan stays where it is: docs/plans/plan.md is a link to it';
    expect(factsOf(ended, 'noticed')).toContainEqual(expect.objectContaining({ text }));
    expect(await repo.read(plan)).toBe(letterPlan('a', 'b').replaceAll('[ ]', '[x]'));
  },
);

test('the run’s branch cannot be checked out: once it can, the same command begins there', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    more: 'git switch -qc plan\necho b > b.txt\ngit add b.txt\ngit commit -qm b\ngit switch -q main\n',
  });
  const { repo } = scene;
  await repo.write('b.txt', 'mine\n');
  const refused = await expectExit(8, scene.run());
  expect(refused.stderr).toContain('b.txt');
  await rm(path.join(repo.path, 'b.txt'));
  await expectExit(0, scene.run());
  expect(await repo.git('log', '--format=%s', 'main..plan')).toBe('Write a\nb');
});

test('a hook refuses the plan’s commit: the journal says how the start ended, and the next one is a new start', async () => {
  await using scene = await makeNight({ plan: letterPlan('a') });
  const { repo } = scene;
  await repo.write('.git/hooks/pre-commit', '#!/bin/sh\ntest -e .git/may\n');
  await repo.write('docs/plans/plan.md', `${letterPlan('a')}\nMore.\n`);
  const refused = await expectExit(8, scene.run());
  expect(refused.events.at(-1)).toMatchObject({ type: 'run-ended', exit: 8, reasons: [{ code: 'hook' }] });
  await repo.git('switch', '-q', 'main');
  await repo.git('branch', '-qD', 'plan');
  await repo.write('.git/may', '');
  const again = await expectExit(0, scene.run());
  expect(factsOf(again, 'run-resumed')).toMatchObject([{ after: 'stop' }]);
});

inSoak(
  'killed before the user’s files were looked at: a session that changes one is still seen',
  async () => {
    await using scene = await makeNight({
      plan: letterPlan('a'),
      turns: [onTask('a', [{ bash: 'echo a > a.txt; echo gone > notes.txt' }, done])],
      env: { ...killAt('journal run-started#1+1'), PAWL_TASK_ATTEMPTS: '1' },
    });
    await scene.repo.write('notes.txt', 'mine\n');
    await expectExit('SIGKILL', scene.run());
    const again = await expectExit(0, scene.again());
    expect(factsOf(again, 'act-found')).toMatchObject([{ act: 'changed-user-file', detail: 'notes.txt' }]);
    expect(await scene.repo.read('notes.txt')).toBe('mine\n');
  },
);
