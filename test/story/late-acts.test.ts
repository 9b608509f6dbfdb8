// What an agent's process does after its last turn was judged, while it ends: a hook of its own that commits, a last write.
// It is seen like all else, whatever the verdict was.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { makeNight, type Night, storyOf } from '../helpers/night.ts';
import { expectExit, factsOf, wrapAgent } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { actsOf, readRun } from '../helpers/story.ts';

/** Lets the agent's program run a piece of shell at its end, as a hook at the end of a session would. */
const atEnd = (scene: Night, shell: string) =>
  wrapAgent(scene, (agent) => `${agent}\ncode=$?\n${shell}\nexit $code`);

test('a commit of the agent’s at its end is absorbed; a finished task’s work that it takes away comes back before the next commit', async () => {
  await using scene = await makeNight();
  const commit = 'git add -A && git commit -qm "agent: at its end"';
  await atEnd(scene, `if test -e b.txt; then git checkout -qf main; else ${commit}; fi`);
  const ended = await expectExit(0, scene.run());
  expect(actsOf(ended)).toEqual(['committed → absorbed', 'switched-branch → put-back']);
  expect(await scene.repo.log()).toEqual(['Write b', 'Write a', 'start']);
  for (const [commit, file] of [
    ['HEAD~', 'a.txt'],
    ['HEAD', 'b.txt'],
  ] as const) {
    const names = await scene.repo.git('show', '--name-only', '--format=', commit);
    expect(names).toBe(`${file}\ndocs/plans/plan.md`);
  }
});

inSoak('boxes that it ticks at its end are put back after a red turn too: nothing is skipped', async () => {
  const wrong = onTask('a', [{ bash: 'echo wrong > a.txt' }, done]);
  await using scene = await makeNight({ turns: [wrong], env: { PAWL_TASK_ATTEMPTS: '2' } });
  await atEnd(scene, "sed -i 's/\\[ \\]/[x]/' docs/plans/plan.md");
  const ended = await expectExit(1, scene.run());
  expect(factsOf(ended, 'session-started'), storyOf(ended).join('\n')).toHaveLength(2);
  expect(actsOf(ended)).toEqual(['ticked-plan → put-back', 'ticked-plan → put-back']);
  expect(await scene.repo.read('docs/plans/plan.md')).not.toContain('[x]');
});

test('boxes that a check of a session’s making ticks are put back, also where a hook changed the commit', async () => {
  const ticks = 'sed -i "/Write b/s/- .[ ]./- [x]/" docs/plans/plan.md; test -e check.sh';
  await using scene = await makeNight({
    plan: letterPlan('a', 'b').replace('grep -qx a a.txt', 'bash check.sh'),
    turns: [onTask('a', [{ bash: `echo '${ticks}' > check.sh` }, done]), ...honest('b')],
  });
  await scene.repo.write('.git/hooks/pre-commit', '#!/bin/sh\necho x > hooked.txt; git add hooked.txt\n');
  const ended = await expectExit(0, scene.run());
  expect(storyOf(ended)).toContain('2 proven');
});

inSoak('a hook that it plants at its end does not run in pawl’s commit', async () => {
  await using scene = await makeNight();
  await atEnd(
    scene,
    'printf "#!/bin/sh\\ntouch .git/planted-ran\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
  );
  const ended = await expectExit(0, scene.run());
  expect(await scene.repo.exists('.git/planted-ran')).toBe(false);
  expect(actsOf(ended)).toEqual(['changed-hooks → put-back', 'changed-hooks → put-back']);
  expect(await readRun(scene)).toContain('hooks');
});

inSoak(
  'branches it deletes are told one by one, in a correction and at its end too, with where they lie now',
  async () => {
    const first = onTask('a', [{ bash: 'git branch -qD one' }, done]);
    const turns = [
      first,
      { steps: [write('a'), { bash: 'git branch -qD two && git switch -qc own' }, done] },
    ];
    const env = { PAWL_TASK_ATTEMPTS: '1', PAWL_TASK_CORRECTIONS: '1' };
    await using scene = await makeNight({ plan: letterPlan('a'), turns, env });
    const { repo } = scene;
    for (const name of ['one', 'two', 'three']) {
      await repo.git('switch', '-qc', name, 'main');
      await repo.git('commit', '-q', '--allow-empty', '-m', name);
    }
    const oids = await Promise.all(['one', 'two', 'three'].map((name) => repo.git('rev-parse', name)));
    await repo.git('switch', '-q', 'main');
    await atEnd(scene, 'git branch -qD three');
    const ended = await expectExit(0, scene.run());
    const acts = factsOf(ended, 'act-found');
    expect(acts.map(({ detail }) => detail.replace(/ \(.*/, ''))).toEqual([
      'refs/heads/one was deleted',
      'own was checked out',
      'refs/heads/two was deleted',
      'refs/heads/three was deleted',
    ]);
    const kept = acts.flatMap((act) => act.kept ?? []);
    expect(await Promise.all(kept.map((ref) => repo.git('rev-parse', ref)))).toEqual(oids);
  },
);

inSoak(
  'a link that it leaves where finished plans go leads no plan out: the plan stays, and its task is unchecked',
  async () => {
    const [plan, completed] = ['docs/plans/plan.md', 'docs/plans/completed'];
    const link: Step = { bash: `ln -s "$PWD/.git" ${completed}` };
    const turns = [onTask('a', [link, write('a'), done])];
    await using scene = await makeNight({ plan: letterPlan('a'), turns, env: { PAWL_ARCHIVE: 'true' } });
    const ended = await expectExit(4, scene.run());
    expect(factsOf(ended, 'task-closed').map(({ proof }) => proof)).toEqual(['unchecked']);
    expect(await scene.repo.read(plan)).toContain('- [x] Write a');
    expect(await scene.repo.exists('.git/plan.md')).toBe(false);
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
    expect(factsOf(ended, 'noticed').map(({ text }) => text)).toEqual([
      `The plan stays where it is: ${scene.repo.path}/${completed} is a link, or no folder`,
    ]);
  },
);
