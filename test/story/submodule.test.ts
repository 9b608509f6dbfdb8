// Files inside a submodule that were changed before the run, or that a check changes, are none of a session's doing.
import { expect, test } from 'vitest';
import { done, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

const plan = (check: string) =>
  `# Plan: P\n\n### Task 1: Write a\n- check: \`${check}\`\n- [ ] Write a to a.txt\n`;

test.each(
  share(
    [
      ['by the session', 'test -e a.txt && echo never', false, 1],
      ['by a person before the run', 'test -e a.txt', true, 0],
      ['by a check each time', 'echo o > vendor/sub/x.o; test -e a.txt', false, 0],
      ['by the session, where it is not checked out', 'test -e a.txt', false, 1],
    ],
    4,
  ),
)('changed %s', async (how, check, isBefore, exit) => {
  await using library = await makeRepo({ files: { 'lib.c': 'c\n' } });
  const act = exit === 0 ? write('a') : { bash: 'echo a > a.txt; echo o > vendor/sub/agent.o' };
  await using scene = await makeNight({
    plan: plan(check),
    turns: [onTask('a', [act, done])],
    env: { PAWL_TASK_ATTEMPTS: '1' },
  });
  const { repo } = scene;
  const fileAllowed = ['-c', 'protocol.file.allow=always'];
  await repo.git(...fileAllowed, 'submodule', '--quiet', 'add', library.path, 'vendor/sub');
  await repo.git('commit', '-qm', 'sub');
  if (how.endsWith('not checked out')) await repo.git('submodule', '--quiet', 'deinit', '-f', 'vendor/sub');
  if (isBefore) await repo.write('vendor/sub/build.o', 'o\n');
  const ended = await expectExit(exit, scene.run());
  const refused = [...new Set(factsOf(ended, 'file-refused').map(({ why }) => why))];
  expect(refused).toEqual(exit === 0 ? [] : ['dirty-submodule']);
});

test('a plan that is to move one is told so at its line, and refused where warnings are errors', async () => {
  await using scene = await makeNight({
    plan: plan('test -e a.txt').replace('Write a to a.txt', 'Write a to a.txt, and move vendor/sub on'),
    files: { '.gitmodules': '[submodule "sub"]\n\tpath = vendor/sub\n\turl = ../sub\n' },
  });
  const says = 'docs/plans/plan.md:3:1 warning submodule task 1 names vendor/sub, a submodule: ';
  const strict = await expectExit(2, scene.run('--set', 'strict=true'));
  expect(strict.stderr).toContain(says.replace('warning', 'error'));
});
