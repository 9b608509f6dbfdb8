// What a run hands on: on GitHub Actions annotations and the step's summary, and with `--pr` a pull request on
// a scripted forge.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeForge } from '../helpers/forge.ts';
import { expectExit, factsOf, startPawl, tell } from '../helpers/pawl.ts';
import { claimsDone, makeStory, writeRight } from '../helpers/story.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const forged = '::error title=forged::by the agent';

it('a run on GitHub Actions is annotated by pawl alone, and goes out as a pull request', async () => {
  using folder = makeTempFolder();
  using forge = makeForge('github');
  const summary = path.join(folder.path, 'summary.md');
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone({ say: forged }, writeRight),
    env: {
      ...forge.env,
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      PAWL_CI_MODE: 'off',
      PAWL_FORGE_DRAFT: 'true',
    },
  });
  const { repo } = scene;
  forge.connect(repo.path);
  const start = (...args: string[]) => scene.pawl('run', 'docs/plans/plan.md', '--trust', ...args);

  const refused = await expectExit(2, start('--pr'));
  expect(refused.stderr).toContain('Add --push');
  expect(await repo.git('branch', '--list', 'plan')).toBe('');

  const ended = await expectExit(0, start('--pr', '--push'));
  const [, word = ''] = /^::stop-commands::(\w{32})$/m.exec(ended.stdout) ?? [];
  const [before = '', after = ''] = ended.stdout.split(`\n::${word}::\n`);
  expect(before).toContain(forged);
  expect(after).not.toContain(forged);
  const receipt = await readFile(summary, 'utf8');
  expect(receipt).toContain('## ✓ Task 1: Write the word — proven');
  const [request] = forge.read().requests;
  expect(request).toMatchObject({ title: 'One word', source: 'plan', target: 'main', draft: false });
  expect(request?.text).toContain('## ✓ Task 1: Write the word — proven');
  expect(receipt).toContain('https://github.com/team/work/pull/7');
  expect(await repo.git('ls-remote', 'origin', 'plan')).toBe(
    `${await repo.git('rev-parse', 'plan')}\trefs/heads/plan`,
  );
});

it('a run that can no longer be carried is not published, until the same command has carried it', async () => {
  using forge = makeForge('github');
  const shut = path.join(forge.bare, 'shut');
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone({ bash: `touch '${shut}'` }, writeRight),
    env: { ...forge.env, PAWL_CI_MODE: 'off', FIXED_CARRY_AGAIN_MS: '100' },
  });
  const { repo } = scene;
  forge.connect(repo.path);
  // Of the branch and the carried run, the server refuses the run alone.
  const update = `#!/bin/sh\ncase "$1" in refs/pawl/*) ! test -e '${shut}' ;; esac\n`;
  await writeFile(path.join(forge.bare, 'hooks', 'update'), update, { mode: 0o755 });
  const start = () =>
    scene.pawl('run', 'docs/plans/plan.md', '--trust', '--json', '--pr', '--push', '--carry', 'origin');
  const there = async () => (await repo.git('ls-remote', 'origin', 'plan')).split('\t')[0];

  const refused = await start();
  expect([refused.exit, forge.read().requests], tell(refused)).toEqual([8, []]);
  expect(factsOf(refused, 'task-closed')).toHaveLength(1);
  expect(await there(), tell(refused)).not.toBe(await repo.git('rev-parse', 'plan'));
  await rm(shut);
  const ended = await expectExit(0, start());
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(forge.read().requests).toHaveLength(1);
  expect(await there()).toBe(await repo.git('rev-parse', 'plan'));
});

it('a run in its own ground, whose push was refused, is published by the same command', async () => {
  using forge = makeForge('github');
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone(writeRight),
    env: { ...forge.env, PAWL_CI_MODE: 'off', PAWL_ARCHIVE: 'true' },
  });
  forge.connect(scene.repo.path);
  const hook = path.join(forge.bare, 'hooks', 'update');
  await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const start = () => scene.run('--worktree', '--pr', '--push');
  const refused = await expectExit(8, start());
  expect(factsOf(refused, 'plan-archived').map(({ to }) => to)).toEqual(
    Array(2).fill('docs/plans/completed/plan.md'),
  );
  await rm(hook);
  const ended = await expectExit(0, start());
  expect([...factsOf(ended, 'session-started'), ...factsOf(ended, 'run-started')]).toEqual([]);
  expect(forge.read().requests).toHaveLength(1);
});

it('a login that is gone at the end fails the run that it began, which the same command publishes', async () => {
  using forge = makeForge('github');
  const file = path.join(forge.bare, '..', 'forge.json');
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone({ bash: `sed -i 's/"login": *true/"login":false/' '${file}'` }, writeRight),
    env: { ...forge.env, PAWL_CI_MODE: 'off' },
  });
  forge.connect(scene.repo.path);
  const failed = await expectExit(8, scene.run('--pr', '--push'));
  expect(factsOf(failed, 'run-ended')[0]).toMatchObject({
    finished: false,
    reasons: [{ exit: 8, hint: expect.stringContaining('gh auth login') }],
  });
  forge.change({ login: true });
  const ended = await expectExit(0, scene.run('--pr', '--push'));
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(forge.read().requests).toHaveLength(1);
});

it('a run that was archived, and could not be pushed, is taken up and published by another machine', async () => {
  using forge = makeForge('github');
  using folder = makeTempFolder();
  await using scene = await makeStory({
    cast: 'scripted',
    turns: claimsDone(writeRight),
    env: { ...forge.env, PAWL_CI_MODE: 'off', PAWL_ARCHIVE: 'true' },
  });
  const { git } = scene.repo;
  forge.connect(scene.repo.path);
  const hook = path.join(forge.bare, 'hooks', 'update');
  await writeFile(hook, '#!/bin/sh\ntest "$1" != refs/heads/plan\n', { mode: 0o755 });
  await expectExit(8, scene.run('--carry', 'origin', '--pr', '--push'));
  await rm(hook);
  const cwd = path.join(folder.path, 'clone');
  const url = await git('config', 'remote.origin.url');
  await git('clone', '-q', forge.bare, cwd);
  await git('-C', cwd, 'config', `url.${forge.bare}.insteadOf`, url);
  await git('-C', cwd, 'remote', 'set-url', 'origin', url);
  await git('-C', cwd, 'config', 'user.name', 'Other');
  await git('-C', cwd, 'config', 'user.email', 'other@example.invalid');
  const env = { ...scene.env, HOME: folder.path, XDG_RUNTIME_DIR: folder.path, PAWL_CARRY_MACHINE: 'other' };
  const words = ['fleet', 'take', 'plan', '--trust', '--json', '--pr', '--push'];
  const ended = await expectExit(0, startPawl(words, { cwd, env }).ended);
  expect([...factsOf(ended, 'session-started'), ...factsOf(ended, 'run-started')]).toEqual([]);
  expect(forge.read().requests).toHaveLength(1);
});
