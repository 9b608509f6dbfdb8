// The command that goes on with a run.
import { expect, test } from 'vitest';
import { commandAgain } from '../../src/event/again.ts';

const started = { run: '20260102-030405-a', plan: 'b.md', branch: 'b' };

test('in a working tree of its own', () => {
  const worktree = { path: '/state/1/b', from: '/repo', portOffset: 100 };
  expect(commandAgain({ started: { ...started, worktree }, checkedOut: 'main' })).toBe('pawl run b.md');
});

test('what the last start was told is said again, quoted where a shell would take it apart', () => {
  const told = { ...started, flags: ['--sandbox', 'process', '--set', 'checks=a b'] };
  const flags = "--sandbox process --set 'checks=a b'";
  expect(commandAgain({ started: told })).toBe(`pawl run ${flags} b.md`);
  expect(commandAgain({ started: told }, '--take-edits ')).toBe(`pawl run --take-edits ${flags} b.md`);
  const review = { base: '0123456789abcdef', reportOnly: false };
  expect(commandAgain({ started: { ...told, review } })).toBe(`pawl review ${flags} --base 0123456789ab`);
  const answers = { ...review, answers: true };
  expect(commandAgain({ started: { ...told, review: answers } })).toBe(`pawl pr answer ${flags}`);
  const ofPlan = { ...started, review: { ...answers, plan: 'done/b.md' } };
  expect(commandAgain({ started: ofPlan })).toBe('pawl pr answer done/b.md');
});

test('the name of a plan is quoted where a shell would take it apart', () => {
  const odd = { ...started, plan: "my 'plan.md" };
  expect(commandAgain({ started: odd })).toBe("pawl run 'my '\\''plan.md'");
});

test.each([
  ['another branch is checked out', 'main', 'git switch b && pawl run b.md'],
  ['its own is', 'b', 'pawl run b.md'],
  ['none is', '', 'git switch b && pawl run b.md'],
])('where %s', (_, checkedOut, expected) => {
  expect(commandAgain({ started, checkedOut })).toBe(expected);
});
