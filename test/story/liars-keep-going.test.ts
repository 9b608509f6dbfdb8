// `--keep-going`: what a failed or parked task leaves is in a rescue, in no other task's commit, and comes back or is
// begun anew when its turn comes again.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { asidesOf, expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { makeStory, ownCommits, readRun, roundsOf, sayDone } from '../helpers/story.ts';

const task = (id: number, depends: string, word: string) => `### Task ${id}: Write ${word}
- depends: ${depends}
- check: \`sh check.sh ${word}\`
- [ ] Write ${word} to src/${word}.txt

`;
const plan = `# Plan: Words\n\n${task(1, 'none', 'one')}${task(2, 'none', 'two')}${task(3, '1', 'three')}`;
const files = {
  'check.sh': 'grep -qx done "src/$1.txt"\n',
  'src/kept.txt': 'kept\n',
  'src/shared.txt': 'old\n',
};

const write = (word: string, text = 'done'): Step => ({ bash: `echo ${text} > src/${word}.txt` });
const on = (id: number, ...steps: readonly Step[]): Turn => ({ when: `### Task ${id}:`, steps });
/** Half of task 1: a new file, a changed one. */
const half: Step = { bash: 'echo half > src/one.txt; echo changed > src/kept.txt' };
/** Files of the person's, which git does not have, become other things. */
const ravage: Step = { bash: 'rm -r mine todo; echo x > mine; mkdir todo; echo y > todo/z' };

test('task 1 fails, task 4 asks, task 2 is done without their work; with the answer that of task 4 comes back over what was closed meanwhile, and task 1 is begun anew', async () => {
  const ask: Step = { say: 'Hm.\n\n{{marker NEEDS_INPUT four what?}}' };
  const finish = 'grep -q half src/four.txt && grep -q new src/shared.txt && echo done > src/four.txt';
  await using scene = await makeStory({
    plan: `# Plan: Words\n\n${[task(4, 'none', 'four'), task(1, 'none', 'one'), task(2, 'none', 'two'), task(3, '1', 'three')].join('')}`,
    files,
    turns: [
      { when: 'The answer: done', steps: [{ bash: finish }, sayDone] },
      on(4, { bash: 'echo half > src/four.txt; echo moved > src/moved.txt' }, ask),
      { ...on(1, half, ravage, sayDone), once: true },
      on(2, write('two'), write('shared', 'new'), sayDone),
      on(1, sayDone),
    ],
  });
  const { repo } = scene;
  for (const file of ['mine/notes', 'todo']) await repo.write(file, `${file}\n`);
  const namesOf = (commit: string) => repo.git('show', '--name-only', '--format=%s', commit);
  const ended = await expectExit(1, scene.run('--keep-going'));
  expect(roundsOf(ended)).toEqual(['4 park', '1 fail', '2 proven']);
  expect(await namesOf('HEAD')).toBe('Write two\n\ndocs/plans/plan.md\nsrc/shared.txt\nsrc/two.txt');
  const rescue = asidesOf(ended, 'failed')[0]?.rescue;
  expect(await repo.git('show', `${rescue}:src/one.txt`)).toBe('half');
  expect(await repo.git('show', `${rescue}:src/kept.txt`)).toBe('changed');
  expect(await repo.git('status', '--porcelain')).toBe('?? mine/\n?? todo');
  for (const file of ['mine/notes', 'todo']) expect(await repo.read(file)).toBe(`${file}\n`);
  expect(await repo.git('show', `${rescue}:todo/z`)).toBe('y');
  expect(await readRun(scene)).toContain('Its work is kept: `pawl rescue show');

  expect((await scene.pawl('answer', '4', 'done')).exit).toBe(0);
  const again = await expectExit(1, scene.run('--keep-going'));
  expect(roundsOf(again)).toEqual(['4 proven', '1 fail']);
  expect(await ownCommits(scene)).toEqual(['Write four', 'Write two']);
  expect(await namesOf('HEAD')).toBe('Write four\n\ndocs/plans/plan.md\nsrc/four.txt\nsrc/moved.txt');
  const prompt = await readRun(scene, 'sessions/005.prompt.md');
  expect(prompt).toContain(
    `taken out of the tree, so that other tasks could go on: it is the commit ${rescue} `,
  );
  expect(prompt).not.toContain('still in the tree');
  // It did nothing at all: task 2's commit is no work of its own.
  expect(
    factsOf(again, 'tree-written').filter(({ task, by }) => task === '1' && by === 'session'),
    tell(again),
  ).toMatchObject([{ untouched: true, files: 0 }]);
});

inSoak(
  'a task that failed goes back to where it begins now, never to before what was closed since',
  async () => {
    await using scene = await makeStory({
      plan,
      files,
      turns: [
        { ...on(1, half, sayDone), once: true },
        { when: 'Diagnose first', once: true, steps: [write('one'), sayDone] },
        on(1, half, sayDone),
        on(2, write('two'), sayDone),
        on(3, write('three'), sayDone),
      ],
    });
    const { repo } = scene;
    expect((await scene.run('--keep-going')).exit).toBe(1);
    const ended = await expectExit(0, scene.run('--set', 'task.attempts=3'));
    expect(roundsOf(ended)).toEqual(['1 again', '1 again', '1 proven', '3 proven']);
    expect(await ownCommits(scene)).toEqual(['Write three', 'Write one', 'Write two']);
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD~1')).toBe(
      'docs/plans/plan.md\nsrc/one.txt',
    );
    expect(await repo.git('show', 'HEAD:src/two.txt')).toBe('done');
  },
);

inSoak('a stopped task’s work is set aside before another task begins in its tree', async () => {
  await using scene = await makeStory({
    plan,
    files,
    turns: [on(1, half, { say: 'Hm.\n\n{{marker NEEDS_INPUT one what?}}' }), on(2, write('two'), sayDone)],
  });
  const { repo } = scene;
  expect((await scene.run('--task', '1')).exit).toBe(3);
  expect(await repo.read('src/kept.txt')).toBe('changed\n');
  const ended = await expectExit(3, scene.run());
  expect(roundsOf(ended)).toEqual(['2 proven']);
  expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('docs/plans/plan.md\nsrc/two.txt');
});
