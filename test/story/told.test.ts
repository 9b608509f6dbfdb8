// What others are told of a night: a program that reads `--json` hears of all that may want a person, with what it needs to
// say so, and another terminal is answered while a wait counts down, a session works and a check runs.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf, putPrograms, type Scene, tell } from '../helpers/pawl.ts';

const untilThere = (file: string) => `until [ -f .git/${file} ]; do sleep 0.05; done`;
/** Holds what runs it until the test has seen enough. */
const hold = (name: string) => `echo > .git/${name}; ${untilThere(`${name}-go`)}`;
const dollar = { usage: { input: 0, output: 50_000 } };
const free = { usage: { input: 0, output: 0 } };

const plan = letterPlan('a', 'b', 'c', 'd')
  .replaceAll('- check:', '- depends: none\n- check:')
  .replace('`grep -qx b', `\`[ -f b.txt ] || exit 1; ${hold('check')}; grep -qx b`);

/** What a notifier picks from the stream, and what it makes its sentence of. */
const occasions: readonly Readonly<{ type: Fact['type']; has: object }>[] = [
  { type: 'run-started', has: { plan: 'docs/plans/plan.md', run: expect.any(String), title: 'Letters' } },
  { type: 'task-set-aside', has: { task: '1', reason: 'which colour?' } },
  { type: 'waiting', has: { why: 'limit', until: expect.any(Number), text: expect.stringMatching(/limit/) } },
  { type: 'stuck', has: { task: '2', step: 'diagnose', why: expect.stringMatching(/same failure/) } },
  { type: 'budget-reached', has: { budget: 'cost', share: 0.8, spent: 1, cap: 1.2, atLeast: false } },
  { type: 'budget-reached', has: { budget: 'cost', share: 1, spent: 2, cap: 1.2 } },
  {
    type: 'run-ended',
    has: {
      exit: 3,
      finished: false,
      reasons: [{ exit: 3, code: 'needs-person', text: 'task 1 asks: which colour?' }],
    },
  },
];

/** A program in PATH that notes how it was started. */
async function fakeInhibitor({ env, home }: Scene): Promise<() => string> {
  const log = path.join(home, 'bin/systemd-inhibit.log');
  await putPrograms(env, path.dirname(log), { 'systemd-inhibit': 'echo "$*" >> "$0.log"; cat' });
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
}

/** A note is acknowledged while what pawl is at goes on: the test lets it go only afterwards. */
async function expectAnswer(scene: Scene, during: string): Promise<void> {
  const noted = await scene.pawl('steer', '--task', '4', `Said in ${during}.`);
  expect(noted, tell(noted)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^Note \d/) });
}

test('a notifier hears of each occasion; a terminal is answered in a wait, a session and a check', async () => {
  await using scene = await makeNight({
    auth: 'oauth',
    plan,
    env: { PAWL_KEEP_GOING: 'true' },
    turns: [
      { when: 'The answer: blue', steps: [free, write('a'), done] },
      onTask('a', [free, { say: 'Which?\n\n{{marker NEEDS_INPUT which colour?}}' }]),
      onTask('b', [{ limit: { resetsInS: 3_600 } }], true),
      onTask('b', [free, { bash: `${hold('session')}; echo wrong > b.txt` }, done], true),
      onTask('b', [free, { bash: 'touch again.txt' }, done], true),
      onTask('b', [free, write('b'), done]),
      onTask('c', [dollar, write('c'), free, done]),
      onTask('d', [dollar, write('d'), free, done]),
    ],
  });
  const inhibited = await fakeInhibitor(scene);
  const running = scene.startRun('--max-cost', '1.2');
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
  const night = await expectExit(3, running.ended);
  for (const { type, has } of occasions)
    expect(factsOf(night, type), type).toContainEqual(expect.objectContaining(has));
  expect(factsOf(night, 'intervention').flatMap(({ note }) => note ?? [])).toEqual([1, 2, 3]);
  expect(inhibited()).toContain('--who=pawl');

  expect((await scene.pawl('answer', '1', 'blue')).exit).toBe(0);
  const morning = await expectExit(0, scene.run('--max-cost', '9'));
  // Who reads only this stream knows whose end it is.
  const { run = '' } = factsOf(night, 'run-started')[0] ?? {};
  expect(factsOf(morning, 'run-resumed')).toMatchObject([{ run, plan: 'docs/plans/plan.md' }]);
  expect(morning.events.at(-1)).toMatchObject({ type: 'run-ended', exit: 0, finished: true, reasons: [] });
});
