// Commit hooks of the user's that commit something else than what was checked: the checks decide on the commit itself.
import { expect, test } from 'vitest';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { endAt, makeNight, type Night } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { actsOf, roundsOf } from '../helpers/story.ts';

async function hook(scene: Night, name: string, shell: string): Promise<void> {
  await scene.repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${shell}\n`);
}

test('a hook that leaves the work out of the commit: red, and the work is still in the tree', async () => {
  await using scene = await makeNight({ plan: letterPlan('a'), env: { PAWL_TASK_ATTEMPTS: '1' } });
  await hook(scene, 'pre-commit', 'git rm -q --cached a.txt');
  const ended = await expectExit(1, scene.run());
  expect(roundsOf(ended)).toEqual(['1 fail']);
  expect(actsOf(ended)).toEqual(['committed → absorbed']);
  expect(await scene.repo.log()).toEqual(['start']);
  expect(await scene.repo.git('status', '--porcelain')).toBe('?? a.txt');
});

inSoak(
  'a hook that formats the commit alone: green on the commit, and the tree is as the commit',
  async () => {
    await using scene = await makeNight();
    // As formatters do that leave unstaged changes alone: the blob is another, the file is not.
    const format =
      'blob=$( (cat a.txt; echo formatted) | git hash-object -w --stdin); git update-index --cacheinfo 100644,$blob,a.txt';
    await hook(scene, 'pre-commit', `grep -q formatted a.txt || { ${format}; }`);
    await expectExit(0, scene.run());
    expect(await scene.repo.git('show', '--name-only', '--format=%s', 'HEAD')).toBe(
      'Write b\n\nb.txt\ndocs/plans/plan.md',
    );
    expect(await scene.repo.read('a.txt')).toBe('a\nformatted\n');
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
  },
);

const fix =
  'for f in $(git diff --cached --name-only -- "*.txt"); do grep -q formatted $f || { echo formatted >> $f; exit 1; }; done';

test('what a pre-commit hook refuses for is the round’s reason, and other words are another failure', async () => {
  await using scene = await makeNight({ plan: letterPlan('a'), env: { PAWL_TASK_ATTEMPTS: '2' } });
  const says = 'test -e .git/seen && says="a tab in a.txt" || says="no title in a.txt"';
  await hook(scene, 'pre-commit', `${says}; touch .git/seen; echo looking; echo "error: $says" >&2; exit 1`);
  const ended = await expectExit(1, scene.run());
  const rounds = factsOf(ended, 'round-ended');
  expect(rounds.map(({ reason }) => reason)).toEqual([
    'the pre-commit hook rejected the commit: error: no title in a.txt',
    'the pre-commit hook rejected the commit: error: a tab in a.txt',
  ]);
  expect(new Set(rounds.map((round) => round.fingerprint)).size).toBe(2);
});

test('a hook that asks for a form of subjects is told by commit.subject, the plan’s own commits among them', async () => {
  const plan = 'docs/plans/new.md';
  await using scene = await makeNight({
    env: { PAWL_ARCHIVE: 'true', PAWL_COMMIT_SUBJECT: 'feat: {title}' },
  });
  await hook(scene, 'pre-commit', 'echo looking; echo around');
  await hook(
    scene,
    'commit-msg',
    'grep -qE "^feat: " "$1" || { echo "no type in the subject" >&2; exit 1; }',
  );
  await scene.repo.write(plan, letterPlan('a'));
  const env = scene.env;
  const run = () => scene.pawl('run', plan, '--json', '--trust');
  await expectExit(0, run());
  expect(await scene.repo.log()).toEqual([
    'feat: plan: archive new.md',
    'feat: Write a',
    'feat: plan: new.md',
    'start',
  ]);
  env['PAWL_COMMIT_SUBJECT'] = '{title}';
  await scene.repo.write(plan, letterPlan('b'));
  const refused = await expectExit(8, run());
  expect(refused.stderr).toContain('no type in the subject');
  expect(refused.stderr).toContain('`commit.subject`');
});

test('a key that cannot sign ends the run before the first session', async () => {
  await using scene = await makeNight({ plan: letterPlan('a') });
  await scene.repo.git('config', 'commit.gpgsign', 'true');
  await scene.repo.git('config', 'gpg.program', 'false');
  const refused = await expectExit(8, scene.run());
  expect(factsOf(refused, 'session-started')).toEqual([]);
  expect(factsOf(refused, 'run-ended')).toMatchObject([{ reasons: [{ code: 'hook' }] }]);
  await scene.repo.git('config', 'commit.gpgsign', 'false');
  expect((await scene.run()).exit).toBe(0);
});

test('a hook that formats files and refuses: what it made is checked and committed, without another session', async () => {
  await using scene = await makeNight();
  await hook(scene, 'pre-commit', fix);
  const ended = await expectExit(0, scene.run());
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(factsOf(ended, 'session-ended')).toHaveLength(2);
  expect(roundsOf(ended)).toEqual(['1 proven', '2 proven']);
  expect(await scene.repo.read('a.txt')).toBe('a\nformatted\n');
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
});

inSoak('what it made is red: nothing is committed, and the attempt has failed', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a').replace('`grep -qx a a.txt`', '`grep -qx a a.txt && ! grep -q formatted a.txt`'),
    env: { PAWL_TASK_ATTEMPTS: '1' },
  });
  await hook(scene, 'pre-commit', fix);
  expect(roundsOf(await expectExit(1, scene.run()))).toEqual(['1 fail']);
  expect(await scene.repo.log()).toEqual(['start']);
});

inSoak(
  'Ctrl-C while a changed commit is checked: it is taken back, for nobody has seen it green',
  async () => {
    const plan = letterPlan('a').replace(
      '`grep -qx a a.txt`',
      '`test -e a.txt && { test ! -e hooked.txt || { touch .git/verifying; sleep 60; }; }`',
    );
    await using scene = await makeNight({ plan, turns: [onTask('a', [write('a'), done])] });
    await hook(scene, 'pre-commit', 'echo hooked > hooked.txt; git add hooked.txt');
    const ended = await expectExit(130, endAt(scene, '.git/verifying', 'SIGINT'));
    expect(roundsOf(ended)).toEqual(['1 stop']);
    expect(factsOf(ended, 'task-closed')).toEqual([]);
    expect(await scene.repo.log()).toEqual(['start']);
    expect(await scene.repo.git('status', '--porcelain')).toBe('?? a.txt\n?? hooked.txt');
  },
);
