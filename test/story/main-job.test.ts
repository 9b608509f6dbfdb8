// The main job, whole: three tasks, each in a fresh session, checked by pawl, ticked and committed; the same story with
// the scripted agent and with the real Claude Code CLI on a scripted model.
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { factsOf, makeScene } from '../helpers/pawl.ts';

const plan = `# Plan: Letters

## Overview
Three letters in three files.

## Validation Commands
- \`test -f README.md\`

### Task 1: Write a
- check: \`grep -q a src/a.txt\`
- [ ] Write a to src/a.txt

### Task 2: Write b
- check: \`grep -q b src/b.txt\`
- [ ] Write b to src/b.txt
- [ ] Look at it (manual)

### Task 3: Write c
- check: \`grep -q c src/c.txt\`
- [ ] Write c to src/c.txt
`;

const turns: readonly Turn[] = [
  ...['a', 'b', 'c'].map((letter) => ({
    when: { regex: `^### Task \\d: Write ${letter}$` },
    steps: [
      // An API that fails twice and then works is no event of a run.
      ...(letter === 'a' ? [{ api: { status: 529, times: 2 } }] : []),
      { say: `I write ${letter}.` },
      { bash: `mkdir -p src && printf ${letter === 'b' ? 'x' : letter} > src/${letter}.txt` },
      { say: `Wrote ${letter}.\n\n{{marker TASK_DONE wrote ${letter}}}` },
    ],
  })),
  {
    when: 'grep -q b src/b.txt',
    steps: [{ bash: 'printf b > src/b.txt' }, { say: 'Now it is b.\n\n{{marker TASK_DONE b is there}}' }],
  },
];

test('three tasks, three commits, a red check corrected in the same session, an API that fails twice and then works (12)', async () => {
  await using scene = await makeScene({ plan, turns, cast: 'claude' });
  const before = await scene.repo.git('rev-parse', 'main');
  const ended = await scene.run();
  expect(ended.stderr).toBe('');
  expect(ended.exit).toBe(0);
  const { repo } = scene;
  expect(await repo.git('rev-parse', 'main')).toBe(before);
  expect(await repo.log()).toEqual(['plan: archive plan.md', 'Write c', 'Write b', 'Write a', 'start']);
  expect(await repo.git('status', '--porcelain')).toBe('');
  const trailers = await repo.git(
    'log',
    '--format=%(trailers:key=Pawl-Task,key=Pawl-Checks,unfold)',
    '-3',
    'HEAD~1',
  );
  expect(trailers.split('\n').filter(Boolean)).toEqual(
    [3, 2, 1].flatMap((task) => [`Pawl-Task: ${task}`, 'Pawl-Checks: proven']),
  );
  const ticked = await repo.read('docs/plans/completed/plan.md');
  expect(ticked).toBe(plan.replaceAll('- [ ] Write', '- [x] Write'));
  const sessions = factsOf(ended, 'session-started').map(({ session, task }) => [session, task]);
  expect(sessions).toEqual([
    [1, '1'],
    [2, '2'],
    [3, '3'],
  ]);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([{ task: '2', session: 2, kind: 'red' }]);
  const after = factsOf(ended, 'check-ended').filter(({ when }) => when === 'after');
  expect(after.map(({ task, result }) => `${task} ${result}`)).toEqual([
    '1 green',
    '1 green',
    '2 green',
    '2 red',
    '2 green',
    '2 green',
    '3 green',
    '3 green',
  ]);
  expect(factsOf(ended, 'waiting')).toEqual([]);
  expect(factsOf(ended, 'session-ended').every(({ costUsd }) => costUsd !== undefined && costUsd > 0)).toBe(
    true,
  );
  expect(ended.events.at(-1)).toMatchObject({ type: 'run-ended', exit: 0, finished: true });
});
