// What comes between in a review: a limit, a pause, a budget that is spent, a task that is taken back. It goes on where it
// stood, nobody is asked twice for what was answered, and work that came after it is reviewed anew.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { expectNoProcess } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { answersTo, complaint, fields, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { inSoak, isSoak } from '../helpers/share.ts';

const quiet = [reviewer('quality', []), reviewer('testing', [])];
const mended = fixer([{ bash: 'echo "right is the word" > src/README.md' }, answersTo({ F1: true })]);
const clean = ['quality: nothing', 'testing: nothing', 'first ended clean'];

/** A reviewer's first turn, which does not come to its answer. */
const begins = (name: keyof typeof fields, ...steps: readonly Step[]): Turn => ({
  when: fields[name],
  once: true,
  steps,
});

const sessionsOf = (ended: Parameters<typeof factsOf>[0]) =>
  factsOf(ended, 'session-started').flatMap(({ reviewer: name }) => name ?? []);

test('of three reviewers the second meets a limit: the rest wait, it is asked again, and none is missing', async () => {
  const names = ['quality', 'implementation', 'testing'] as const;
  await using scene = await makeReview({
    cast: isSoak ? 'claude' : 'scripted',
    auth: 'oauth',
    stages: `[{name: first, reviewers: [${names.join(', ')}]}]`,
    turns: [
      begins('implementation', { limit: { resetsInS: 4 } }),
      ...names.map((name) => reviewer(name, [])),
    ],
    env: { FIXED_REVIEWERS: '1' },
  });
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'waiting').map(({ why }) => why)).toEqual(['limit']);
  const [quality, ...rest] = names;
  expect(sessionsOf(ended)).toEqual([quality, 'implementation', ...rest]);
  const [wait] = factsOf(ended, 'waited');
  const later = factsOf(ended, 'session-started')
    .filter(({ role }) => role === 'review')
    .slice(2);
  expect(later.every(({ at }) => at >= (wait?.at ?? '~'))).toBe(true);
  expect(reviewOf(ended)).toEqual([
    'first 1',
    ...names.map((name) => `${name}: nothing`),
    'first ended clean',
  ]);
});

inSoak('a pause ends who is at work, and who has answered is not asked again', async () => {
  await using scene = await makeReview({
    turns: [begins('testing', { bash: 'echo > "$HOME/at-work"; sleep 60' }), ...quiet],
  });
  const running = scene.startRun();
  await running.until('opinion-given');
  const file = path.join(scene.home, 'at-work');
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 240_000 });
  await expectExit(0, scene.pawl('pause', '--now'));
  await running.until('paused');
  await scene.pawl('continue');
  const ended = await expectExit(0, running.ended);
  expect(sessionsOf(ended).sort()).toEqual(['quality', 'testing', 'testing']);
  expect(reviewOf(ended).slice(1)).toEqual(clean);
  await expectNoProcess(scene);
});

test('a spent budget stops it, and with more to spend it goes on with who has not spoken', async () => {
  const dollar: Step = { usage: { input: 0, output: 50_000 } };
  const free: Step = { usage: { input: 0, output: 0 } };
  await using scene = await makeReview({
    turns: [
      reviewer('quality', [complaint()], { once: true, before: [dollar] }),
      reviewer('quality', [], { before: [free] }),
      reviewer('testing', [], { before: [free] }),
      mended,
    ],
    env: { FIXED_REVIEWERS: '1' },
  });
  const stopped = await expectExit(5, scene.run('--max-cost', '1'));
  expect(reviewOf(stopped)).toEqual(['first 1', 'quality: F1', 'first ended over-budget']);
  expect(factsOf(stopped, 'run-ended')[0]).toMatchObject({ finished: false });
  const again = await expectExit(0, scene.run('--max-cost', '5'));
  expect(reviewOf(again)).toEqual(['testing: nothing', 'F1 fixed', 'fixer: committed', 'first 2', ...clean]);
});

inSoak('a task that is taken back takes what was mended with it, and all is reviewed anew', async () => {
  await using scene = await makeReview({
    turns: [reviewer('quality', [complaint()], { once: true }), ...quiet, mended],
  });
  const { repo } = scene;
  await expectExit(0, scene.run());
  const fix = (await repo.git('rev-parse', 'HEAD')).slice(0, 10);
  const mend = await expectExit(2, scene.pawl('undo', 'fix-first-1'));
  expect(mend.stderr).toContain('fix-first-1 is the fix of F1 by the review, no task of the plan');
  expect(mend.stderr).toContain(`git revert ${fix}`);
  const stands = await scene.pawl('undo', '1');
  expect(stands.stderr).toContain('fix: The word is not explained (task fix-first-1)');
  const undone = await expectExit(0, scene.pawl('undo', '1', '--with-later'));
  expect(undone.stdout).toContain('Task 1 is open again; 2 commits taken back');
  const again = await expectExit(0, scene.run());
  expect([...reviewOf(again)].sort()).toEqual(['first 1', ...clean].sort());
  const found = JSON.parse((await scene.pawl('report', '--findings', '--json')).stdout);
  expect(found.findings).toEqual([]);
});

test('the last reviewer takes the last session: what is found is still proven, and stops the run', async () => {
  const proof = { command: 'test ! -e src/word.txt', patch: '' };
  await using scene = await makeReview({
    turns: [reviewer('quality', [complaint({ severity: 'minor', proof })]), reviewer('testing', [])],
    env: { PAWL_BUDGETS_MAX_SESSIONS: '3' },
  });
  const ended = await expectExit(5, scene.run());
  expect(reviewOf(ended).slice(-2)).toEqual(['F1 confirmed', 'first ended over-budget']);
});
