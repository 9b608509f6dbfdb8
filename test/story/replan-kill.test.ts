// `kill -9` around a re-plan: while the planner works, and before and after each step of making its plan the run's; Ctrl-C
// and a usage limit while it works. The run goes through with it, once, and ends as one that nothing cut off.
import { expect } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, type Night } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const failing = '### Task 1: Two\n- check: `grep -qx two two.txt`\n- [ ] two\n';
const added = '### Task 0: Way\n- check: `test -d way`\n- [ ] way\n';
const say: Step = {
  say: `<<<PAWL:PLAN_DRAFT {{nonce}}>>>\n${added}\n${failing}<<<PAWL:END {{nonce}}>>>`,
};
const turns: readonly Turn[] = [
  { when: 'You plan anew', steps: [say] },
  { when: { regex: '^### Task 0:' }, steps: [{ bash: 'mkdir way && touch way/.keep' }, done] },
  {
    when: { regex: '^### Task 1:' },
    steps: [{ bash: 'test -d way && echo two > two.txt || echo no > two.txt' }, done],
  },
];

const night = { plan: `# Plan: Two\n\n${failing}`, turns };
const env = { PAWL_REPLAN: 'on-failure', PAWL_TASK_ATTEMPTS: '1' };

async function expectPlannedAnew(scene: Night, ...runs: readonly Ended[]): Promise<void> {
  expect(await scene.repo.log()).toEqual(['Two', 'Way', 'plan: re-plan after task 1 failed', 'start']);
  expect(await scene.repo.read('docs/plans/plan.md')).toBe(
    `# Plan: Two\n\n${added}\n${failing}`.replaceAll('[ ]', '[x]'),
  );
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  const taken = runs.flatMap((one) => factsOf(one, 'replan-ended'));
  expect(taken.map(({ result }) => result)).toEqual(['taken']);
  // One that was begun is gone on with, not begun once more.
  expect(runs.flatMap((one) => factsOf(one, 'replan-started'))).toHaveLength(1);
  await expectNoProcess(scene);
}

inSoak('Ctrl-C while the planner works: the next start asks again', async () => {
  const hangs: Turn = { when: 'You plan anew', once: true, steps: [{ hang: true }] };
  await using scene = await makeNight({ ...night, turns: [hangs, ...turns], env });
  const running = scene.startRun();
  await running.until('session-ready', ({ session }) => session === 2);
  running.child.kill('SIGINT');
  const stopped = await expectExit(130, running.ended);
  const again = await expectExit(0, scene.again());
  await expectPlannedAnew(scene, stopped, again);
});

inSoak('a usage limit while the planner works is waited for, and no planner is used up by it', async () => {
  const limited: Turn = { when: 'You plan anew', once: true, steps: [{ limit: { resetsInS: 2 } }] };
  await using scene = await makeNight({ ...night, turns: [limited, ...turns], env });
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'waiting').map(({ why }) => why)).toEqual(['limit']);
  await expectPlannedAnew(scene, ended);
});
