// A secret of the environment that an agent repeats is shown nowhere: not on the terminal, not as JSON, not in the logs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const file = 'docs/plans/plan.md';
const secret = 'hunter2hunter2';

test.each(
  share(
    [
      [['run', file, '--trust']],
      [['run', file, '--trust', '--verbose']],
      [['run', file, '--trust', '--json', '--verbose']],
    ],
    3,
  ),
)('pawl %j and the logs after it show the name of the secret', async (words) => {
  const says = [
    { say: `The token is ${secret}.` },
    { bash: `echo ${secret} > out.txt` },
    { say: 'Done.\n\n{{marker TASK_DONE}}' },
  ];
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: [onTask('a', [write('a'), ...says])],
    env: { SOME_TOKEN: secret, PAWL_DEBUG: '1' },
  });
  const ended = await scene.pawl(...words);
  expect(ended.exit, tell(ended)).toBe(0);
  const logs = [['logs'], ['logs', '--verbose'], ['logs', '--json', '--verbose'], ['logs', '--raw']];
  for (const shown of [ended, ...(await Promise.all(logs.map((each) => scene.pawl(...each))))]) {
    const text = `${shown.stdout}${shown.stderr}`;
    expect(text).not.toContain('hunter2');
  }
  expect(ended.stdout).toContain('[SOME_TOKEN]');
  const debug = readFileSync(/^Debug log: (.*)$/m.exec(ended.stderr)?.[1] ?? '', 'utf8');
  expect(debug).not.toContain('hunter2');
  expect(debug).toMatch(/"argv":\["[^"]*git",.*"pid":\d+,"code":0,.*"ms":\d/);
});
