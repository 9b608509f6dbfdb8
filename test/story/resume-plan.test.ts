// Where a plan may lie and who may change it while a run is on: outside the repository, ignored, untracked, behind a link;
// edited with `pawl edit`, or over the head of a session.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask } from '../helpers/letters.ts';
import { killAt, makeNight, type Night, untilFile } from '../helpers/night.ts';
import { type Ended, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';

const plan = letterPlan('a', 'b');
const ticked = plan.replaceAll('- [ ]', '- [x]');

function runOf(scene: Night, file: string, ...args: readonly string[]): Promise<Ended> {
  return scene.pawl('run', file, '--json', '--trust', ...args);
}

const tasksOf = (ended: Ended) => factsOf(ended, 'session-started').map(({ task }) => task);

test.each(share(['outside the repository', 'ignored by git'], 2))(
  'a plan %s is ticked in place after the commit; the journal is the truth',
  async (name) => {
    await using scene = await makeNight({
      plan,
      files: { '.gitignore': 'private\n' },
      turns: honest('a', 'b'),
      env: killAt('journal task-closed#2'),
    });
    const folder = name.startsWith('outside')
      ? await mkdtemp(path.join(tmpdir(), 'pawl-plan-'))
      : path.join(scene.repo.path, 'private');
    const file = path.join(folder, 'letters.md');
    try {
      await scene.repo.write(path.relative(scene.repo.path, file), plan);
      const stopped = await runOf(scene, file, '--max-tasks', '1');
      expect(stopped.exit, tell(stopped)).toBe(0);
      expect(factsOf(stopped, 'run-started')).toMatchObject([{ planPlace: 'outside' }]);
      expect((await readFile(file, 'utf8')).match(/- \[.\]/g)).toEqual(['- [x]', '- [ ]']);
      Object.assign(scene.env, killAt('journal task-closed#1'));
      const killed = await runOf(scene, file);
      expect(killed.signal, tell(killed)).toBe('SIGKILL');
      expect(tasksOf(killed)).toEqual(['2']);
      delete (scene.env as Record<string, string>)['KILL_PAWL_AT'];
      const again = await runOf(scene, file);
      expect(again.exit, tell(again)).toBe(0);
      expect(tasksOf(again)).toEqual([]);
      expect(await readFile(file, 'utf8')).toBe(ticked);
      expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
      expect(await scene.repo.git('ls-files')).not.toContain('letters.md');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

const withThird = letterPlan('a', 'b', 'c');

async function useEditor({ home, env }: Night, text: string): Promise<void> {
  const editor = path.join(home, 'editor');
  await writeFile(path.join(home, 'edited.md'), text);
  await writeFile(editor, `#!/bin/sh\ncat ${home}/edited.md > "$1"\n`);
  await chmod(editor, 0o755);
  Object.assign(env, { EDITOR: editor, VISUAL: editor });
}

test('pawl edit during a session is taken between two rounds; an edit over the head of one is set aside and named, and pawl edit --take takes it', async () => {
  const waitsIn = (letter: string): Step => ({
    bash: `echo ${letter} > ${letter}.txt; until [ -e .git/go-${letter} ]; do sleep 0.05; done`,
  });
  await using scene = await makeNight({
    plan: letterPlan('a'),
    turns: ['a', 'b'].map((letter) => onTask(letter, [waitsIn(letter), done])),
  });
  const { repo } = scene;
  const running = scene.startRun('--max-tasks', '2');
  await untilFile(scene, 'a.txt');
  await useEditor(scene, plan);
  const edited = await scene.pawl('edit', 'docs/plans/plan.md');
  expect(edited.stdout, tell(edited)).toMatch(/next round/);
  expect(await repo.read('docs/plans/plan.md')).toBe(letterPlan('a'));
  await repo.write('.git/go-a', '');
  await untilFile(scene, 'b.txt');
  await repo.write('docs/plans/plan.md', withThird);
  await repo.write('.git/go-b', '');
  const ended = await running.ended;
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'act-found').filter(({ task }) => task === '1')).toEqual([]);
  expect(factsOf(ended, 'intervention')).toMatchObject([{ kind: 'hand-edit' }]);
  expect(await repo.log()).toEqual(['Write b', 'Write a', 'start']);
  expect(factsOf(ended, 'plan-edit-set-aside')).toMatchObject([{ number: 1, file: 'plan-001.proposed.md' }]);
  expect(await repo.read('docs/plans/plan.md')).toBe(ticked);
  const [, said = ''] = /`pawl (edit .*)`/.exec((await scene.pawl('report')).stdout) ?? [];
  const taken = await scene.pawl(...said.split(' '));
  expect(taken.exit, tell(taken)).toBe(0);
  const text = withThird.replace('- [ ] Write a', '- [x] Write a').replace('- [ ] Write b', '- [x] Write b');
  expect(await repo.read('docs/plans/plan.md')).toBe(text);
});

inSoak('an edit that was taken stays when the work of a task is taken out of the tree', async () => {
  const free = (text: string) => text.replaceAll('- check:', '- depends: none\n- check:');
  await using scene = await makeNight({
    plan: free(plan),
    turns: [
      onTask('a', [{ bash: 'echo wrong > a.txt; until [ -f .git/go ]; do sleep 0.05; done' }, done]),
      ...honest('b', 'c'),
    ],
    env: { PAWL_KEEP_GOING: 'true', PAWL_TASK_ATTEMPTS: '2' },
  });
  const running = scene.startRun();
  await untilFile(scene, 'a.txt');
  await useEditor(scene, free(withThird));
  expect((await scene.pawl('edit', 'docs/plans/plan.md')).exit).toBe(0);
  await scene.repo.write('.git/go', '');
  const ended = await running.ended;
  expect(ended.exit, tell(ended)).toBe(1);
  expect(tasksOf(ended)).toEqual(['1', '1', '2', '3']);
  expect(await scene.repo.log()).toEqual(['Write c', 'Write b', 'start']);
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  expect(factsOf(ended, 'intervention')).toMatchObject([
    { kind: 'hand-edit', text: expect.stringContaining('was edited') },
  ]);
});
