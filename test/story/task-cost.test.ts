// What a further task of a run costs in git processes: counted, since a time would depend on the machine.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit } from '../helpers/pawl.ts';

/** With the commit. More needs a reason that a user would pay for: each is a program to start. */
const most = 22;

test('a task after the first starts few git processes', async () => {
  await using scene = await makeNight({ plan: letterPlan('a', 'b', 'c') });
  const log = path.join(scene.home, 'programs.ndjson');
  Object.assign(scene.env, { PAWL_DEBUG: log });
  await expectExit(0, scene.pawl('run', 'docs/plans/plan.md', '--json', '--trust'));
  const started = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line): readonly string[] => JSON.parse(line).argv);
  const git = started
    .filter(([file = '']) => path.basename(file) === 'git')
    .map((argv) => argv.find((word, at) => at > 0 && !word.startsWith('-') && argv[at - 1] !== '-c') ?? '');
  const [first = 0, second = 0, third = 0] = git.flatMap((word, at) => (word === 'commit' ? at : []));
  const tasks = [git.slice(first + 1, second + 1), git.slice(second + 1, third + 1)];
  expect(tasks.map((words) => words.at(-1))).toEqual(['commit', 'commit']);
  // What happens beside one of them is not the price of a task.
  const [least = []] = tasks.sort((a, b) => a.length - b.length);
  expect(least.length, least.join(' ')).toBeLessThanOrEqual(most);
});
