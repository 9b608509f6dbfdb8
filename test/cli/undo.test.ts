// What `pawl undo` refuses before it touches anything; undoing itself: test/git/rescue/undo.test.ts, story/user-path.test.ts.
import { expect, test } from 'vitest';
import { type UndoFlags, undoCommand } from '../../src/cli/undo.ts';
import type { Fact } from '../../src/event.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { openTemp } from '../git/open.ts';
import { eachTest } from '../helpers/each-test.ts';
import { byPerson, fact } from '../helpers/facts.ts';
import { writeRun } from '../helpers/write-run.ts';
import { eachWorld } from './world.ts';

const begun = new Date('2026-01-02T03:00:00Z');
const text = '### Task 1: a\n- [x] a\n\n### Task 2: b\n- [x] b\n\n### Task 3: c\n- [ ] c\n';
const world = eachWorld();

const made = eachTest(() => openTemp({ files: { 'plan.md': text } }));

function makeRun(...facts: readonly Fact[]): string {
  const tasks = ['1', '2', '3'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
  const started = { at: begun, plan: 'plan.md', branch: 'main' };
  return writeRun(made.repo.commonDir, started, fact('plan-read', { tasks }), ...facts).run;
}

const closed = (task: string) => fact('task-closed', { task });
const ended = fact('run-ended', { finished: false });
const undo = (task: string, options: UndoFlags = {}) =>
  world.run(undoCommand, options, [task], { cwd: made.temp.path });

test('no run at all', async () => {
  await expect(undo('1')).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(/no run/) });
});

test.each([
  ['9', 'plan.md has no task 9', "Closed by the plan's newest run: 1"],
  ['2', 'no run of plan.md has closed task 2', 'once its boxes are unticked'],
  ['3', 'no run of plan.md has closed task 3', "Closed by the plan's newest run: 1"],
])('task %s, which no commit closed', async (task, why, hint) => {
  makeRun(closed('1'), byPerson('tick', { task: '2' }), ended);
  await expect(undo(task)).rejects.toMatchObject({
    code: 'usage',
    message: `${why}: there is nothing to undo`,
    hint: expect.stringContaining(hint),
  });
});

test('a task whose boxes are open already', async () => {
  makeRun(closed('3'), ended);
  await expect(undo('3')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/task 3 is open/),
  });
});

test('on another branch than the run works on, and when that is gone', async () => {
  makeRun(closed('1'), ended);
  await made.temp.git('switch', '-q', '-c', 'other');
  const hint = expect.stringContaining('`git switch main`');
  await expect(undo('1')).rejects.toMatchObject({ code: 'preflight', hint });
  await made.temp.git('branch', '-q', '-D', 'main');
  await expect(undo('1')).rejects.toMatchObject({ message: expect.stringContaining('that branch is gone') });
});

test('a commit that is not there', async () => {
  makeRun(closed('1'), ended);
  await expect(undo('1')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/no commit of this branch closed/),
  });
});

test('a review that came after the run is passed over', async () => {
  makeRun(closed('1'), ended);
  const at = new Date(begun.getTime() + 60_000);
  const review = { base: 'main', reportOnly: true };
  writeRun(made.repo.commonDir, { at, plan: 'review.md', branch: 'main', review });
  await expect(undo('1')).rejects.toMatchObject({
    message: expect.stringMatching(/no commit of this branch closed/),
  });
});

test.each([
  ['a session', [fact('session-started', { session: 1, task: '2' })]],
  ['a close', [fact('closing', { task: '2' })]],
])('a run that was cut off in %s is put in order first', async (_, facts) => {
  makeRun(closed('1'), ...facts);
  await expect(undo('1')).rejects.toMatchObject({
    code: 'preflight',
    hint: expect.stringContaining('pawl run plan.md'),
  });
});

test('a live pawl, here or in another working tree', async () => {
  const run = makeRun(closed('1'), ended);
  {
    using _lock = acquireLock(made.repo.gitDir, run, begun);
    await expect(undo('1')).rejects.toMatchObject({ code: 'locked' });
  }
  await made.temp.git('worktree', 'add', '-q', '--detach', `${world.top}/other`);
  using _lock = acquireLock(`${made.repo.commonDir}/worktrees/other`, run, begun);
  await expect(undo('1')).rejects.toMatchObject({ code: 'locked' });
});
