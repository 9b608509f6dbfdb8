// What a run hands on: on GitHub Actions annotations and the step's summary, and with `--pr` a pull request by a gh that
// records what it is asked.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tell } from '../helpers/pawl.ts';
import { claimsDone, makeStory, sayDone, writeRight } from '../helpers/story.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const forged = '::error title=forged::by the agent';

it('a run on GitHub Actions is annotated by pawl alone, and goes out as a pull request', async () => {
  using folder = makeTempFolder();
  const [gh, summary, remote] = ['bin/gh', 'summary.md', 'remote.git'].map((name) =>
    path.join(folder.path, name),
  ) as [string, string, string];
  await mkdir(path.dirname(gh));
  await writeFile(
    gh,
    `#!/bin/sh
log='${folder.path}/gh.log'
[ "$1 $2" != 'pr create' ] || { printf '%s\\n' "$@" >"$log"; cat >"$log.text"; echo https://example.invalid/pull/7; }
`,
    { mode: 0o755 },
  );
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone({ say: forged }, writeRight),
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      PATH: `${path.dirname(gh)}:${process.env['PATH']}`,
    },
  });
  const { repo } = scene;
  await repo.git('init', '-q', '--bare', remote);
  await repo.git('remote', 'add', 'origin', remote);
  const start = (...args: string[]) => scene.pawl('run', 'docs/plans/plan.md', '--trust', ...args);

  const refused = await start('--pr');
  expect(refused.exit, tell(refused)).toBe(2);
  expect(refused.stderr).toContain('Add --push');
  expect(await repo.git('branch', '--list', 'plan')).toBe('');

  const ended = await start('--pr', '--push');
  expect(ended.exit, tell(ended)).toBe(0);
  const [, word = ''] = /^::stop-commands::(\w{32})$/m.exec(ended.stdout) ?? [];
  const [before = '', after = ''] = ended.stdout.split(`\n::${word}::\n`);
  expect(before).toContain(forged);
  expect(after).not.toContain(forged);
  const receipt = await readFile(summary, 'utf8');
  expect(receipt).toContain('## ✓ Task 1: Write the word — proven');
  expect(await readFile(path.join(folder.path, 'gh.log.text'), 'utf8')).toBe(receipt.slice(0, -1));
  expect((await readFile(path.join(folder.path, 'gh.log'), 'utf8')).split('\n')).toContain('One word');
  expect(ended.stderr).toContain('Pull request: https://example.invalid/pull/7');
  expect(await repo.git('ls-remote', 'origin')).toBe(
    `${await repo.git('rev-parse', 'plan')}\trefs/heads/plan`,
  );
});

it('a run that failed is annotated with its reason, and makes no pull request', async () => {
  await using scene = await makeStory({
    cast: 'scripted',
    turns: [{ when: '### Task', steps: [sayDone] }],
    env: { GITHUB_ACTIONS: 'true' },
  });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(1);
  expect(ended.stderr).toMatch(/^::error title=pawl%3A a task failed::/m);
  expect(ended.stdout).not.toMatch(/^::/m);
});
