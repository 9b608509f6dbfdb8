// One plan here, in one ground of the run's own, and in three lanes: the branch and what the journal says of each task are the
// same, whatever failed or asked on the way.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { share } from '../helpers/share.ts';

const kinds = [
  ['in one ground', ['--worktree']],
  ['in three lanes', ['--jobs', '3']],
  ['here', []],
] as const;

const plan = letterPlan('a', 'b', 'c').replaceAll('- check', '- depends: none\n- check');

describe.each(share(kinds, 3))('%s', (_, args) => {
  test('what is closed, failed and asked comes to the same', async () => {
    await using scene = await makeNight({
      plan,
      turns: [
        ...honest('a'),
        onTask('b', [{ bash: 'echo wrong > b.txt' }, done]),
        onTask('c', [{ bash: 'echo half > half.txt' }, { say: '{{marker NEEDS_INPUT which?}}' }], true),
        onTask('c', [write('c'), done]),
      ],
      env: { PAWL_TASK_ATTEMPTS: '1' },
    });
    const { repo } = scene;
    const first = await expectExit(1, scene.run('--keep-going', ...args));
    expect(factsOf(first, 'task-closed').map(({ task }) => task)).toEqual(['1']);
    const aside = factsOf(first, 'task-set-aside').map(({ task, as }) => `${task} ${as}`);
    expect(aside.sort()).toEqual(['2 failed', '3 parked']);
    expect((await scene.pawl('answer', '3', 'c')).exit).toBe(0);
    await scene.rewrite(honest('a', 'b', 'c'));
    const second = await expectExit(0, scene.run());
    const log = await repo.git('log', '--format=%s', 'main..plan');
    expect(log.split('\n').sort()).toEqual(['Write a', 'Write b', 'Write c']);
    expect(await repo.git('show', 'plan:a.txt', 'plan:b.txt', 'plan:c.txt')).toBe('a\nb\nc');
    expect((await repo.git('show', 'plan:docs/plans/plan.md')).match(/\[x\]/g)).toHaveLength(3);
    expect((await repo.git('ls-tree', '-r', '--name-only', 'plan')).split('\n')).toContain('half.txt');
    expect(factsOf(second, 'run-ended')).toMatchObject([{ exit: 0, finished: true }]);
    expect(await repo.git('status', '--porcelain')).toBe('');
    await repo.git('switch', '-q', 'plan');
    expect(await redCommits(repo)).toEqual([]);
    const worktree = factsOf(first, 'run-started')[0]?.worktree;
    expect(worktree !== undefined && existsSync(worktree.path)).toBe(false);
  });
});
