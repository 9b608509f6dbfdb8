// A plan whose tasks have no boxes, as some of ralphex's and superpowers' are: each is worked on, its title is its one step,
// and the box that pawl writes when it is done is what every later look at the plan goes by.
import { expect, test } from 'vitest';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { expectExit, factsOf, makeScene, type Scene } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plan = 'docs/plans/p.md';
const text =
  '# Plan: Words\n\n### Task 1: Write one\nInto one.txt.\n\n### Task 2: Write two\n\n- check: `test -f two.txt`\n\n## Later\n- [ ] three\n';
const ticked = text
  .replace('Write one\n', 'Write one\n\n- [x] Write one\n\n')
  .replace('Write two\n', 'Write two\n\n- [x] Write two\n');

const turns: readonly Turn[] = [
  {
    when: '# Your task',
    steps: [
      { bash: 'if test -f one.txt; then touch two.txt; else touch one.txt; fi' },
      { say: '{{marker TASK_DONE wrote it}}' },
    ],
  },
];

const env = { PAWL_ARCHIVE: 'false', PAWL_BASELINE: 'skip', PAWL_CHECKS: '["test -f README.md"]' };
const scene = () => makeScene({ files: { 'README.md': 'A.\n', [plan]: text }, turns, env });
const run = ({ pawl }: Scene, ...more: string[]) => pawl('run', plan, '--json', '--trust', ...more);

test('is worked on to its end, and everything agrees that it is done', async () => {
  await using here = await scene();
  const { repo } = here;
  const first = await run(here, '--max-tasks', '1');
  expect(factsOf(first, 'task-closed').map(({ task }) => task)).toEqual(['1']);
  expect(first.stderr).toContain(
    'p.md:3:1 warning task-without-steps none of the 2 tasks has boxes, so the title of each is its one step',
  );
  const second = await expectExit(0, run(here));
  expect(factsOf(second, 'task-closed').map(({ task }) => task)).toEqual(['2']);
  expect(await repo.read(plan)).toBe(ticked);
  expect(await repo.git('status', '--porcelain')).toBe('');
  expect(factsOf(first, 'plan-read')[0]?.outside).toEqual([{ text: 'three', line: 11 }]);
  expect((await here.pawl('report', plan)).stdout).toContain('- three');
  expect((await here.pawl('status')).stdout).toMatch(/state +finished/);
  const again = await run(here);
  expect([again.exit, factsOf(again, 'session-started')]).toEqual([0, []]);
  expect((await here.pawl('lint', plan)).stdout).not.toContain('task-without-steps');
  await repo.write(plan, `${ticked}- [~] four\n`);
  await repo.git('commit', '-qam', 'one more');
  const left = await run(here);
  expect([left.exit, factsOf(left, 'session-started')]).toEqual([2, []]);
  expect(left.stderr).toContain('Not tracked by any task: [~] four');
});

inSoak('is done once more after an undo, and never for nothing', async () => {
  await using here = await scene();
  const { repo } = here;
  await run(here);
  await expectExit(0, here.pawl('undo', '2'));
  expect(await repo.read(plan)).toBe(ticked.replace('- [x] Write two', '- [ ] Write two'));
  const again = await run(here);
  expect(factsOf(again, 'task-closed').map(({ task }) => task)).toEqual(['2']);
  expect(await repo.read(plan)).toBe(ticked);
});

test('a closed plan that no run knows is refused, not called done', async () => {
  await using here = await makeScene({ files: { 'README.md': 'A.\n', [plan]: ticked }, turns, env });
  const refused = await expectExit(2, run(here));
  expect(refused.stderr).toContain(
    'docs/plans/p.md has nothing left for an agent: all its tasks are closed\nNot tracked',
  );
  expect(await here.repo.log()).toEqual(['start']);
});
