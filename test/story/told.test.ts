// Another terminal is answered while a wait counts down, a session works and a check runs. What a program that reads `--json`
// hears of each occasion is told where that occasion is.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf, putPrograms, type Scene, tell } from '../helpers/pawl.ts';

/** Holds what runs it until the test has seen enough. */
const hold = (name: string) => `echo > .git/${name}; until [ -f .git/${name}-go ]; do sleep 0.05; done`;

/** A program in PATH that notes how it was started. */
async function fakeInhibitor({ env, home }: Scene): Promise<() => string> {
  const log = path.join(home, 'bin/systemd-inhibit.log');
  await putPrograms(env, path.dirname(log), { 'systemd-inhibit': 'echo "$*" >> "$0.log"; cat' });
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
}

/** A note is acknowledged while what pawl is at goes on: the test lets it go only afterwards. */
async function expectAnswer(scene: Scene, during: string): Promise<void> {
  const noted = await scene.pawl('steer', '--task', '2', `Said in ${during}.`);
  expect(noted, tell(noted)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^Note \d/) });
}

test('a terminal is answered in a wait, which it ends, a session and a check; the machine is kept awake', async () => {
  await using scene = await makeNight({
    auth: 'oauth',
    plan: letterPlan('a', 'b').replace(
      '`grep -qx a',
      `\`[ -f a.txt ] || exit 1; ${hold('check')}; grep -qx a`,
    ),
    turns: [
      onTask('a', [{ limit: { resetsInS: 3_600 } }], true),
      onTask('a', [{ bash: hold('session') }, write('a'), done]),
      ...honest('b'),
    ],
  });
  const inhibited = await fakeInhibitor(scene);
  const running = scene.startRun();
  await running.until('waiting');
  await expectAnswer(scene, 'a wait');
  await expectExit(0, scene.pawl('continue'));
  // Had the wait been over by itself, there would have been nothing to end.
  expect(await running.until('waited')).toMatchObject({ how: 'person' });
  await untilFile(scene, '.git/session');
  await expectAnswer(scene, 'a session');
  await scene.repo.write('.git/session-go', '');
  await untilFile(scene, '.git/check');
  await expectAnswer(scene, 'a check');
  await scene.repo.write('.git/check-go', '');
  const ended = await expectExit(0, running.ended);
  expect(factsOf(ended, 'intervention').flatMap(({ note }) => note ?? [])).toEqual([1, 2, 3]);
  expect(inhibited()).toContain('--who=pawl');
});
