// The command that goes on with a run.
import { expect, test } from 'vitest';
import { parseWords } from '../../src/cli/parse-arguments.ts';
import { commandAgain, pushCommand } from '../../src/event/again.ts';
import type { FactOf } from '../../src/event.ts';
import { fact } from '../helpers/facts.ts';

const worktree = { path: '/state/1/b', from: '/repo', portOffset: 100 };
const { ground } = fact('run-started');
const told = { ground: { ...ground, flags: ['--sandbox', 'process', '--set', 'checks=a b'] } };
const flags = "--sandbox process --set 'checks=a b'";
const review = { base: '0123456789abcdef', reportOnly: false };
const answers = { ...review, answers: true };

test.each<[string, Partial<FactOf<'run-started'>>, string | undefined, string]>([
  ['is in a working tree of its own', { worktree }, 'main', 'pawl run b.md'],
  ['was told more, quoted where a shell would take it apart', told, 'b', `pawl run ${flags} b.md`],
  ['reviews', { ...told, review }, undefined, `pawl review ${flags} --base 0123456789ab`],
  ['answers', { ...told, review: answers }, undefined, `pawl pr answer ${flags}`],
  ['answers for a plan', { review: { ...answers, plan: 'c.md' } }, undefined, 'pawl pr answer c.md'],
  ['has an odd plan', { plan: "my 'plan.md" }, undefined, "pawl run 'my '\\''plan.md'"],
  ['is on another branch', {}, 'main', 'git switch b && pawl run b.md'],
  ['is on the branch that is checked out', {}, 'b', 'pawl run b.md'],
  ['is on a branch, where none is checked out', {}, '', 'git switch b && pawl run b.md'],
])('of a run that %s', (_, change, checkedOut, expected) => {
  const started = fact('run-started', { plan: 'b.md', branch: 'b', ...change });
  expect(commandAgain({ started, checkedOut })).toBe(expected);
  expect(commandAgain({ started, checkedOut }, '--take-edits ')).toContain(' --take-edits');
});

test.each<[string, Partial<FactOf<'run-started'>>]>([
  ['of a plan', {}],
  ['of a review', { review }],
  ['of answers', { review: answers }],
])('that of a run %s takes what hints add to it', (_, change) => {
  const started = fact('run-started', { plan: 'b.md', ...change });
  for (const options of ['--take-edits ', '--require unchecked ', '--max-cost 20 ', '--set a=b ']) {
    const [, ...words] = commandAgain({ started }, options).split(' ');
    expect(parseWords(words)).toMatchObject({ ask: 'command' });
  }
});

test('what a hint says comes last, and counts', () => {
  const started = fact('run-started', {
    plan: 'b.md',
    ground: { ...ground, flags: ['--require', 'proven'] },
  });
  const [, ...words] = commandAgain({ started }, '--require passed ').split(' ');
  expect(parseWords(words)).toMatchObject({ args: ['b.md'], options: { require: 'passed' } });
});

test('no name of a branch is taken apart by a shell', () => {
  const started = fact('run-started', { branch: 'a;b' });
  expect(pushCommand({ started, carry: { remote: 'origin' } })).toMatch(/ 'a;b'$/);
  expect(commandAgain({ started, checkedOut: 'main' })).toMatch(/^git switch 'a;b' && /);
});
