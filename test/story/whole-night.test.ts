// One night with all that goes wrong in a night, and nobody there: three usage limits, two crashes, a hang, and pawl itself
// killed and started again by a supervisor. It ends done, and the receipt tells what happened.
import { expect } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, expectNoProcess, makeNight, resultOf, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const limit: Step = { limit: { resetsInS: 1 } };
const crash: Step = { kill: 'SIGKILL' };
/** Foreground `sleep` is refused by the real CLI. */
const long: Step = { bash: "perl -e 'select undef,undef,undef,60'" };
const part = (name: string): Step => ({ bash: `echo part > ${name}.txt` });

// Each of its parts: limits.test.ts, nights.test.ts, cleanup.test.ts.
inSoak('a whole night ends done without a person', async () => {
  await using scene = await makeNight({
    cast: 'claude',
    auth: 'oauth',
    plan: letterPlan('a', 'b', 'c'),
    env: { PAWL_CLOCKS_SILENCE: '5s' },
    turns: [
      onTask('a', [part('a1'), limit], true),
      onTask('a', [part('a2'), crash], true),
      onTask('b', [part('b1'), { hang: true }], true),
      onTask('b', [part('b2'), limit], true),
      onTask('b', [part('b3'), long], true),
      onTask('c', [part('c1'), crash], true),
      onTask('c', [part('c2'), limit], true),
      ...honest('a', 'b'),
      onTask('c', [write('c'), done]),
    ],
  });
  const killed = await endAt(scene, 'b3.txt');
  const ended = await expectExit(0, scene.again());
  const [limited, crashed] = [
    (task: number) => ['limited', `${task} wait`, 'waiting limit', 'waited'],
    (task: number) => ['crashed', `${task} wait counts`, 'waiting crash', 'waited'],
  ];
  expect([...storyOf(killed), ...storyOf(ended)]).toEqual([
    ...[...limited(1), ...crashed(1), 'done', '1 proven'],
    ...['timed-out', '2 again counts', ...limited(2)],
    // The supervisor starts it again here.
    ...['crashed', '2 again', 'done', '2 proven'],
    ...[...crashed(3), ...limited(3), 'done', '3 proven'],
  ]);
  expect((await resultOf(scene)).boxes).toEqual(['- [x]', '- [x]', '- [x]']);
  for (const name of ['a1', 'a2', 'b1', 'b2', 'b3', 'c1', 'c2'])
    expect(await scene.repo.git('ls-files', `${name}.txt`)).toBe(`${name}.txt`);
  const sessions = [...factsOf(killed, 'session-started'), ...factsOf(ended, 'session-started')];
  expect(factsOf(ended, 'intervention')).toEqual([]);
  const report = await readRun(scene);
  expect(report).toContain(`${sessions.length} sessions`);
  expect(report).toMatch(/; besides \d+s waiting, /);
  const outcomes = [killed, ended]
    .flatMap((life) => factsOf(life, 'session-ended'))
    .map(({ outcome }) => outcome);
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  // Two that died, and the one that pawl left behind.
  expect([count('limited'), count('crashed'), count('timed-out')]).toEqual([3, 3, 1]);
  await expectNoProcess(scene);
});
