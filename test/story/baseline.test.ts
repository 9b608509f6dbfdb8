// A check that cannot run on the untouched tree: nothing is begun where no task can bring what it needs.
import { expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight, type Night } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { shows, sitDownTo } from '../helpers/seat.ts';
import { share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const lock = { 'package-lock.json': '{}\n' };
const withCheck = (command: string, text = '') =>
  letterPlan('a').replace('### Task', `## Validation Commands\n- \`${command}\`\n\n${text}### Task`);

/** Finds its runner only where it was installed. */
const files = { 'test.sh': 'PATH="$PWD/node_modules/.bin:$PATH"; mocha a.txt\n' };

function makeStart(plan: string, more: Readonly<Record<string, string>> = {}): Promise<Night> {
  return makeNight({
    plan,
    files: { ...files, ...more },
    env: { PAWL_BASELINE: 'auto', PAWL_TASK_ATTEMPTS: '1' },
  });
}

test('not installed: no session, exit 8 with the remedy; the same command continues when it is there', async () => {
  const plan = withCheck('sh test.sh').replace('- [ ]', '- [ ] Make `sh test.sh` green.\n- [ ]');
  await using scene = await makeStart(plan, lock);
  const { repo } = scene;
  const ended = await expectExit(8, scene.run());
  expect(factsOf(ended, 'session-started')).toEqual([]);
  const [reason] = factsOf(ended, 'run-ended')[0]?.reasons ?? [];
  expect(reason?.text).toMatch(/^the check `sh test\.sh` cannot run here \(exit 127\): .*mocha.*not found$/);
  expect(reason?.hint).toContain('package-lock.json is there, and node_modules is not: npm ci.');
  await repo.write('.git/info/exclude', 'node_modules\n');
  await repo.write('node_modules/.bin/mocha', '#!/bin/sh\ntest -e a.txt\n');
  await repo.git('update-index', '--refresh');
  const again = await expectExit(0, scene.again());
  expect(factsOf(again, 'check-ended').filter(({ when }) => when === 'baseline')).toMatchObject([
    { result: 'red' },
  ]);
});

const withoutLint = { 'package.json': '{ "scripts": { "test": "true" } }\n' };

test('a script that package.json lacks and no task speaks of: no session, and the reason is named', async () => {
  await using scene = await makeStart(withCheck('npm run lint'), withoutLint);
  const ended = await expectExit(8, scene.run());
  expect(factsOf(ended, 'session-started')).toEqual([]);
  const [reason] = factsOf(ended, 'run-ended')[0]?.reasons ?? [];
  expect(reason?.text).toBe(
    'the check `npm run lint` cannot run here (exit 1): package.json has no script lint',
  );
});

test.runIf(has('terminals (script)'))(
  'red before any work: a person excuses it, and tasks close',
  async () => {
    await using scene = await makeStart(withCheck('exit 1'));
    using seat = await sitDownTo(scene, 'run', 'plan.md', '--trust');
    await shows(seat, 'Red before any work, and no task');
    seat.type('\r');
    const { exit } = await seat.ended;
    expect(exit, seat.screen()).toBe(0);
    const journal = (await readRun(scene, 'journal.ndjson')).trim().split('\n');
    const facts = journal.map((line) => JSON.parse(line) as { type: string; knownRed?: string[] });
    expect(facts.filter(({ knownRed }) => knownRed).map(({ knownRed }) => knownRed)[0]).toEqual(['exit 1']);
    expect(facts.map(({ type }) => type)).toContain('task-closed');
  },
);

test.each<[string, string, string[], number]>(
  share(
    [
      [
        'a task adds the script to package.json',
        withCheck('npm run lint').replace('- [ ]', '- [ ] Add the script lint\n- [ ]'),
        [],
        1,
      ],

      ['a task speaks of it', withCheck('sh test.sh').replace('- [ ]', '- [ ] Add mocha.\n- [ ]'), [], 1],
      ['nothing brings it', withCheck('sh test.sh'), [], 8],
      [
        'a task makes the script',
        withCheck('sh later.sh').replace('- [ ]', '- [ ] Write later.sh\n- [ ]'),
        [],
        1,
      ],
      ['a person wants it so', withCheck('sh test.sh'), ['--set', 'baseline=warn'], 1],
      ['red, and no task names it', withCheck('exit 1'), [], 2],
      [
        'red, and a task names it',
        withCheck('exit 1').replace('- [ ]', '- [ ] Make `exit 1` green.\n- [ ]'),
        [],
        1,
      ],
      ['red, and a person begins all the same', withCheck('exit 1'), ['--set', 'baseline=warn'], 1],
    ],
    8,
  ),
)('%s', async (_what, plan, args, exit) => {
  await using scene = await makeStart(plan, plan.includes('lint') ? withoutLint : {});
  const ended = await expectExit(exit, scene.run(...args));
  expect(factsOf(ended, 'session-started').length > 0).toBe(exit === 1);
});
