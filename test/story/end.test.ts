// After the last session: what checks and hooks do to the person's repository then is put back or named, and the branch
// holds what was proven.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeForge } from '../helpers/forge.ts';
import { done } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const turns = [{ when: '### Task', steps: [{ bash: 'echo x > x' }, done] }];
const plan = (...checks: readonly string[]) =>
  `# Plan: P\n\n## Checks\n${checks.map((check) => `- ${check}\n`).join('')}\n### Task 1: Make it\n- check: \`test -e x\`\n- [ ] Make it\n`;

const harm =
  'git -C "$TREES/$TREE" stash clear; git -C "$TREES/$TREE" branch -D other; git -C "$TREES/$TREE" tag -d v1; rm -f "$TREES/$TREE/mine.txt"; true';

test.each(
  share(
    [
      ['an (at end) check', [`\`${harm}\` (at end)`]],
      ['a check that runs in the checkout alone', [`\`case $PWD in */prove-*) ${harm};; esac; true\``]],
    ],
    2,
  ),
)('%s that clears what is a person’s', async (_, checks) => {
  await using scene = await makeNight({ plan: plan(...checks), turns, env: { PAWL_VERIFY: 'fresh' } });
  const { repo } = scene;
  const env = scene.env;
  [env['TREES'], env['TREE']] = [path.dirname(repo.path), path.basename(repo.path)];
  await repo.git('branch', 'other');
  await repo.git('tag', 'v1');
  await repo.write('README.md', 'changed\n');
  await repo.git('stash', '-q');
  await repo.write('mine.txt', 'mine\n');
  const before = await repo.git('for-each-ref', 'refs/heads/other', 'refs/tags', 'refs/stash');
  const ended = await scene.run();
  expect(await repo.read('mine.txt'), tell(ended)).toBe('mine\n');
  const now = await repo.git('for-each-ref', 'refs/heads/other', 'refs/tags', 'refs/stash');
  const acts = factsOf(ended, 'act-found').map(({ detail }) => detail);
  for (const line of before.split('\n').filter((each) => !now.includes(each)))
    expect(acts.join('\n')).toContain(line.slice(0, 12));
  expect(acts.join('\n')).toContain('mine.txt');
});

test('a hook adds a file to the commit that archives the plan', async () => {
  await using scene = await makeNight({
    plan: plan('`true`'),
    turns,
    env: { PAWL_VERIFY: 'fresh', PAWL_ARCHIVE: 'true' },
  });
  const hook =
    '#!/bin/sh\ngit diff --cached --name-only | grep -q completed/ || exit 0\necho bad > sneaked.txt; git add sneaked.txt\n';
  await scene.repo.write('.git/hooks/pre-commit', hook);
  const ended = await scene.run();
  expect(
    factsOf(ended, 'plan-archived').map(({ state }) => state),
    tell(ended),
  ).toEqual(['announced', 'done']);
  const files = await scene.repo.git('ls-tree', '-r', '--name-only', 'HEAD');
  expect(files.split('\n')).not.toContain('sneaked.txt');
  expect(files).toContain('completed/');
  expect(
    factsOf(ended, 'noticed')
      .map(({ text }) => text)
      .join('\n'),
  ).toContain('sneaked.txt');
});

test('what the fresh checkout showed holds, though the run goes on from a later phase: its request stays a draft', async () => {
  using forge = makeForge('github');
  await using scene = await makeNight({
    plan: plan('`test -e local.txt`'),
    turns,
    files: { '.gitignore': 'local.txt\n' },
    env: { ...forge.env, PAWL_VERIFY: 'fresh', PAWL_ARCHIVE: 'true', PAWL_FORGE_DRAFT: 'true' },
  });
  forge.connect(scene.repo.path);
  await scene.repo.write('local.txt', '');
  const hook = path.join(scene.repo.path, '.git/hooks/commit-msg');
  await writeFile(hook, '#!/bin/sh\n! grep -q archive "$1"\n', { mode: 0o755 });
  await expectExit(8, scene.run('--pr', '--push'));
  await rm(hook);
  const ended = await expectExit(4, scene.run('--pr', '--push'));
  expect(factsOf(ended, 'run-ended')[0]).toMatchObject({
    finished: true,
    reasons: [{ code: 'red-in-fresh-checkout' }],
  });
  expect(forge.read().requests).toMatchObject([{ draft: true }]);
});

inSoak('an activated environment that leads back into the tree proves nothing', async () => {
  using outside = makeTempFolder();
  await using scene = await makeNight({ plan: plan('`true`'), turns, env: { PAWL_VERIFY: 'fresh' } });
  const packages = path.join(outside.path, 'lib/python3/site-packages');
  await mkdir(packages, { recursive: true });
  await writeFile(path.join(packages, '__editable__.calc.pth'), `${scene.repo.path}/src\n`);
  scene.env['VIRTUAL_ENV'] = outside.path;
  const ended = await scene.run();
  expect(factsOf(ended, 'fresh-verified'), tell(ended)).toMatchObject([
    { result: 'not-verified', reason: expect.stringContaining('leads back into the first tree') },
  ]);
});
