// What a person does under a run: branches, history and the plan change between its sessions or while it is stopped, its
// folder is moved, its working tree removed. It stops with a sentence that names what and how to go back, or goes on.
import { rename, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, lettersDone, onTask, write } from '../helpers/letters.ts';
import { act, endAt, expectNoProcess, faultAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, startPawl } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const file = 'docs/plans/plan.md';
const whole = { ...lettersDone, files: ['README.md', 'a.txt', 'b.txt', file] };
const hangs: Step = { bash: 'echo half > half.txt; tail -f /dev/null' };

type Deed = Readonly<{ name: string; at?: string; does: string; undo: string; exit: number; says: RegExp }>;

const deeds: readonly Deed[] = [
  {
    name: 'the plan is deleted between two sessions',
    does: `rm ${file}`,
    undo: `git checkout -q ${file}`,
    exit: 2,
    says: /plan\.md no longer exists.*git restore/,
  },
  {
    name: 'another branch is checked out between two sessions',
    does: 'git switch -q main',
    undo: 'git switch -q plan',
    exit: 8,
    says: /works on plan, but main is checked out.*git switch plan/,
  },
  {
    name: 'another branch is checked out before the commit',
    at: 'journal tree-written#3',
    does: 'git switch -q -c aside',
    undo: 'git switch -q plan',
    exit: 8,
    says: /works on plan, but aside is checked out/,
  },
  {
    name: 'the plan is replaced by a folder between two sessions',
    does: `mv ${file} .git/mine.md && mkdir ${file}`,
    undo: `rmdir ${file} && mv .git/mine.md ${file}`,
    exit: 2,
    says: /plan\.md is (a folder|no longer a regular file)/,
  },
  {
    name: 'the plan’s folder is moved between two sessions',
    does: 'mv docs documents',
    undo: 'mv documents docs',
    exit: 2,
    says: /plan\.md no longer exists/,
  },
];

function reasonOf(ended: Ended): string {
  const [end] = factsOf(ended, 'run-ended');
  return `${ended.stderr} ${end?.reasons.map(({ text, hint }) => `${text} ${hint}`).join(' ')}`.replaceAll(
    '\n',
    ' ',
  );
}

describe.concurrent('while a run works', () => {
  // A branch that is not the run’s: moved-head.test.ts; a plan that is gone: resume.test.ts, external-edits.test.ts.
  inSoak.each(deeds)('$name', async ({ at = 'journal task-closed#1', does, undo, exit, says }) => {
    await using scene = await makeNight({ env: faultAt(at, does) });
    const main = await scene.repo.git('rev-parse', 'main');
    const ended = await expectExit(exit, scene.run());
    expect(reasonOf(ended)).toMatch(says);
    expect(await scene.repo.git('rev-parse', 'main')).toBe(main);
    await act(scene, undo);
    const again = await expectExit(0, scene.again());
    expect(factsOf(again, 'file-refused')).toEqual([]);
    expect(await resultOf(scene)).toEqual(whole);
  });

  inSoak('its last commit is amended between two sessions: it goes on from there', async () => {
    const env = faultAt('journal task-started#2', 'git commit -q --amend -m mine');
    await using scene = await makeNight({ env });
    await expectExit(0, scene.run());
    expect(await resultOf(scene)).toEqual({ ...whole, log: ['Write b', 'mine', 'start'] });
  });

  // One that is removed is also in resume.test.ts.
  test.each(
    share(
      [
        ['fills a folder in the plan’s place', `rm ${file}; mkdir ${file}; echo mine > ${file}/mine.txt`],
        ['removes the plan’s folder', 'rm -r docs'],
        ['makes the plan a folder', `rm ${file}; mkdir ${file}`],
      ],
      3,
    ),
  )('a session %s: nothing of it is lost, and the run goes on', async (name, does) => {
    await using scene = await makeNight({
      turns: [onTask('a', [{ bash: does }, write('a'), done], true), ...honest('a', 'b')],
    });
    const ended = await expectExit(0, scene.run());
    expect(await resultOf(scene)).toEqual(whole);
    const [aside] = factsOf(ended, 'plan-edit-set-aside');
    if (name.startsWith('fills')) expect(await readRun(scene, `${aside?.file}/mine.txt`)).toBe('mine\n');
  });
});

describe.concurrent('while a run is stopped', () => {
  inSoak('its branch is deleted: the commit is named, and brought back the run goes on', async () => {
    await using scene = await makeNight();
    await scene.run('--max-tasks', '1');
    const oid = await scene.repo.git('rev-parse', 'plan');
    await act(scene, 'git switch -q main && git branch -q -D plan');
    const refused = await expectExit(2, scene.run());
    expect(refused.stderr).toContain('works on plan, but that branch is gone');
    const command = /`(git switch -c plan [0-9a-f]+)`/.exec(refused.stderr)?.[1];
    expect(command).toBe(`git switch -c plan ${oid.slice(0, 12)}`);
    await act(scene, command ?? 'false');
    await expectExit(0, scene.run());
    expect(await resultOf(scene)).toEqual(whole);
  });

  test.each(share(['stopped', 'killed'], 2))('the repository of a run that was %s is moved', async (how) => {
    await using scene = await makeNight({
      turns:
        how === 'killed' ? [...honest('a'), onTask('b', [hangs], true), ...honest('b')] : honest('a', 'b'),
      env: { PAWL_ARCHIVE: 'true' },
    });
    await scene.repo.write('.git/hooks/pre-push', '#!/bin/sh\n');
    if (how === 'stopped') await scene.run('--max-tasks', '1');
    else {
      await endAt(scene, 'half.txt');
      await expectNoProcess(scene);
    }
    const old = scene.repo.path;
    const moved = `${old}-moved`;
    await rename(old, moved);
    try {
      await expectExit(0, runIn(scene, moved));
      await expect(act(scene, `ls ${old}`, '/')).rejects.toThrow();
      expect(await act(scene, 'git log --format=%s', moved)).toBe(
        'plan: archive plan.md\nWrite b\nWrite a\nstart\n',
      );
      expect(await act(scene, 'git status --porcelain', moved)).toBe('');
    } finally {
      await rename(moved, old);
    }
  });

  inSoak('its working tree is removed: the run goes on in another', async () => {
    await using scene = await makeNight();
    const tree = `${scene.repo.path}-tree`;
    await act(scene, `git worktree add -q -b plan ${tree}`);
    try {
      await expectExit(0, runIn(scene, tree, '--max-tasks', '1'));
      await act(scene, `git worktree remove ${tree}`);
      const refused = await expectExit(2, scene.run());
      expect(refused.stderr).toMatch(/works on plan, but main is checked out/);
      await act(scene, 'git switch -q plan');
      await expectExit(0, scene.run());
      expect(await resultOf(scene)).toEqual(whole);
    } finally {
      await rm(tree, { recursive: true, force: true });
    }
  });
});

/** The run in another folder than the scene's. */
function runIn({ env }: Night, cwd: string, ...args: readonly string[]): Promise<Ended> {
  return startPawl(['run', file, '--json', '--trust', ...args], { cwd, env }).ended;
}

test('`git gc --prune=now` while the run stands still, and in a session, takes nothing that pawl still needs', async () => {
  const wrong: Step = { bash: 'echo wrong > a.txt; echo more > more.txt; echo more >> README.md' };
  const gc: Step = { bash: 'git gc -q --prune=now' };
  await using scene = await makeNight({
    env: { PAWL_TASK_ATTEMPTS: '1' },
    turns: [onTask('a', [wrong, done])],
  });
  await expectExit(1, scene.run());
  await scene.repo.git('gc', '-q', '--prune=now');
  await scene.rewrite([onTask('a', [gc, write('a'), done]), onTask('b', [write('b'), gc, done])]);
  await expectExit(0, scene.run());
});
