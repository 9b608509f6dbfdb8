// The honest red: what a red check does to a session, to the next attempt, to the task, and to the next `pawl run`.
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { asidesOf, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import {
  claimsDone,
  makeStory,
  ownCommits,
  readRun,
  roundsOf,
  sayDone,
  userBranches,
  writeRight,
} from '../helpers/story.ts';

const write = (word: string) => ({ bash: `mkdir -p src && echo ${word} > src/word.txt` });

/** Writes one word in each session, in order. */
const oneEach = (...words: readonly string[]): readonly Turn[] =>
  words.map((word) => ({ when: '### Task', once: true, steps: [write(word), sayDone] }));

test('attempts are told what was red; spent, the task fails, its work stays, and the next run goes on', async () => {
  await using scene = await makeStory({
    turns: oneEach('wrong', 'wronger', 'right'),
    env: { PAWL_TASK_ATTEMPTS: '2' },
  });
  const { repo } = scene;
  const before = await userBranches(scene);
  const first = await expectExit(1, scene.run());
  expect(roundsOf(first)).toEqual(['1 again', '1 fail']);
  expect(asidesOf(first, 'failed')).toMatchObject([{ task: '1', reason: 'red: sh check.sh' }]);
  const second = await readRun(scene, 'sessions/002.prompt.md');
  expect(second).toContain('# What happened before');
  expect(second).toMatch(/sh check\.sh(.|\n)*^wrong$/m);
  expect(await readRun(scene, 'sessions/001.prompt.md')).not.toContain('What happened before');
  expect(await repo.read('src/word.txt')).toBe('wronger\n');
  expect(await ownCommits(scene)).toEqual([]);
  const left = first.events.at(-1);
  expect(left).toMatchObject({ type: 'run-ended', exit: 1, finished: false });
  const tree = factsOf(first, 'tree-written').at(-1)?.tree;
  expect(left).toMatchObject({ tree });

  const again = await expectExit(0, scene.run());
  expect(factsOf(again, 'run-resumed')).toMatchObject([{ after: 'stop' }]);
  expect(factsOf(again, 'intervention')).toMatchObject([{ kind: 'rerun' }]);
  expect(factsOf(again, 'session-started')).toMatchObject([{ session: 3, task: '1' }]);
  expect(await readRun(scene, 'sessions/003.prompt.md')).toMatch(/^wronger$/m);
  expect(await ownCommits(scene)).toEqual(['Write the word']);
  expect(await userBranches(scene)).toBe(before);
});

inSoak('the same failure twice: the third attempt is told so and begins on the task’s start', async () => {
  await using scene = await makeStory({
    turns: [
      ...claimsDone(write('wrong')).map((turn) => ({
        ...turn,
        when: '# What happened before',
        once: true,
      })),
      {
        when: 'Diagnose first',
        once: true,
        steps: [{ bash: 'test ! -e src/word.txt && mkdir src && echo right > src/word.txt' }, sayDone],
      },
      ...claimsDone(write('wrong')),
    ],
    env: { PAWL_TASK_ATTEMPTS: '3' },
  });
  const ended = await expectExit(0, scene.run());
  expect(roundsOf(ended)).toEqual(['1 again', '1 again', '1 proven']);
  expect(factsOf(ended, 'rescue-saved').map(({ reason }) => reason)).toEqual([
    'before task 1',
    'two attempts at task 1 with the same failure',
  ]);
  const kept = factsOf(ended, 'rescue-saved').at(-1)?.oid;
  expect(await scene.repo.git('show', `${kept}:src/word.txt`)).toBe('wrong');
});

inSoak('what a person committed between two runs stays when a stuck task begins again', async () => {
  await using scene = await makeStory({
    turns: [{ when: 'Diagnose first', steps: [writeRight, sayDone] }, ...claimsDone(write('wrong'))],
  });
  const { repo } = scene;
  expect((await scene.run()).exit).toBe(1);
  await repo.write('README.md', 'by hand\n');
  await repo.git('commit', '-qm', 'by hand', 'README.md');
  const ended = await expectExit(0, scene.run('--set', 'task.attempts=3'));
  expect(roundsOf(ended)).toEqual(['1 again', '1 again', '1 proven']);
  expect(await ownCommits(scene)).toEqual(['Write the word', 'by hand']);
  expect(await repo.git('show', 'HEAD:README.md')).toBe('by hand');
});
