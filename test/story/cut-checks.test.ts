// Ctrl-C while checks run: what did not run, or was ended before its end, proves nothing in either way.
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, letterPlan, onTask } from '../helpers/letters.ts';
import { endAt, makeNight, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

/** A process that takes seconds to end: time for a person to press Ctrl-C. */
const stubborn = `(setsid sh -c "trap '' TERM; sleep 31337" >/dev/null 2>&1 &)`;
/** Waits where experiments are made, until it may go on. */
const proves =
  'case $PWD in */prove-*) touch "$HOME/proving"; until [ -e "$HOME/go" ]; do sleep 0.1; done;; esac';
const wrong: Step = { bash: 'echo wrong > a.txt' };

const twoChecks = letterPlan('a').replace(
  '- check',
  `- check: \`test ! -e a.txt || { ${stubborn}; touch .git/first; }\`\n- check`,
);

test('between two checks: whichever it cut short, they were not both green, and nothing closes', async () => {
  await using scene = await makeNight({ plan: twoChecks, turns: [onTask('a', [wrong, done])] });
  const ended = await expectExit(130, endAt(scene, '.git/first', 'SIGINT'));
  const after = factsOf(ended, 'check-ended').filter(({ when }) => when === 'after');
  expect(after.map(({ result }) => result)).not.toEqual(['green', 'green']);
  expect(factsOf(ended, 'task-closed')).toEqual([]);
  expect(factsOf(ended, 'round-ended')).toMatchObject([{ verdict: 'stop', counts: false }]);
});

test('in the experiments that a close waits for: nothing is proven, nobody is asked, and the next start goes on', async () => {
  const plan = letterPlan('a').replace('`grep -qx a a.txt`', `\`grep -qx a a.txt; ${proves}\``);
  const turns = [onTask('a', [{ bash: 'echo a > a.txt' }, done])];
  await using scene = await makeNight({ plan, turns, env: { PAWL_PROVE: 'close' } });
  const proving = path.relative(scene.repo.path, path.join(scene.home, 'proving'));
  const ended = await expectExit(130, endAt(scene, proving, 'SIGINT'));
  expect(factsOf(ended, 'task-closed'), tell(ended)).toEqual([]);
  expect(factsOf(ended, 'task-set-aside')).toEqual([]);
  await scene.repo.write(path.join(path.dirname(proving), 'go'), '');
  const again = await scene.run();
  expect(factsOf(again, 'task-closed'), tell(again)).toMatchObject([{ proof: 'proven' }]);
});

test('in the experiments on a definition that the work changed: it is not blamed, and the next start tries them', async () => {
  const plan = letterPlan('a').replace('`grep -qx a a.txt`', `\`node --run test; ${proves}\``);
  const files = { 'package.json': '{ "scripts": { "test": "grep -qx a a.txt" } }\n' };
  const renames: Step = { bash: `echo a > a.txt; sed -i 's/-qx a/-qx -e a/' package.json` };
  const turns = [onTask('a', [renames, done])];
  await using scene = await makeNight({ plan, files, turns, env: { PAWL_TASK_ATTEMPTS: '1' } });
  const proving = path.relative(scene.repo.path, path.join(scene.home, 'proving'));
  const ended = await expectExit(130, endAt(scene, proving, 'SIGINT'));
  expect(factsOf(ended, 'act-found'), tell(ended)).toEqual([]);
  expect(factsOf(ended, 'round-ended')).toMatchObject([{ verdict: 'stop', counts: false }]);
  await scene.repo.write(path.join(path.dirname(proving), 'go'), '');
  const again = await scene.run();
  expect(factsOf(again, 'session-started'), tell(again)).toEqual([]);
  expect(factsOf(again, 'task-closed')).toMatchObject([{ task: '1' }]);
});

inSoak('before the first check: the task has one, so it does not close as one without', async () => {
  const leaves: Step = { bash: `echo wrong > a.txt; ${stubborn}; sleep 0.3` };
  await using scene = await makeNight({ plan: letterPlan('a'), turns: [onTask('a', [leaves, done])] });
  const running = scene.startRun();
  await running.until('turn-ended');
  running.child.kill('SIGINT');
  const ended = await expectExit(130, running.ended);
  expect(factsOf(ended, 'task-closed')).toEqual([]);
});

inSoak(
  'in the check before a task: it is run again at the next start, and its green is no red that turned',
  async () => {
    const plan = letterPlan('a').replace(
      '`grep -qx a a.txt`',
      '`touch .git/before; test -e .git/quick || sleep 60`',
    );
    await using scene = await makeNight({
      plan,
      turns: [onTask('a', [wrong, { kill: 'SIGKILL' }])],
      env: { FIXED_BACKOFFS: '1', PAWL_TASK_ATTEMPTS: '1' },
    });
    const stopped = await expectExit(130, endAt(scene, '.git/before', 'SIGINT'));
    expect(factsOf(stopped, 'task-started')).toEqual([]);
    await scene.repo.write('.git/quick', '');
    const again = await scene.run();
    expect(factsOf(again, 'task-started'), tell(again)).toMatchObject([{ red: [] }]);
    expect(factsOf(again, 'task-closed'), storyOf(again).join('\n')).toEqual([]);
  },
);
