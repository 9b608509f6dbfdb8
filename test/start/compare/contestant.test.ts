// What `--with` says: agent, model, effort, settings, and the names that contenders get.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { readContestants } from '../../../src/start/compare/contestant.ts';

const rows = [
  ['claude', { agent: 'claude' }, '1-claude'],
  ['claude:opus', { agent: 'claude', model: 'opus' }, '1-claude-opus'],
  ['codex:gpt-5.2:high', { agent: 'codex', model: 'gpt-5.2:high' }, '1-codex-gpt-5-2-high'],
  ['claude:', { agent: 'claude' }, '1-claude'],
  [
    ' claude:haiku  task.attempts=1 budgets.maxCost=2',
    { agent: 'claude', model: 'haiku', set: ['task.attempts=1', 'budgets.maxCost=2'] },
    '1-claude-haiku',
  ],
] as const;

test.each(rows)('%s', (text, options, slug) => {
  expect(readContestants([text])).toMatchObject([{ options, slug }]);
});

test('two of one agent are told apart by their numbers, others by their names', () => {
  const all = readContestants(['claude:opus', 'claude:opus task.attempts=1', 'codex']);
  expect(all.map(({ label }) => label)).toEqual(['1 claude:opus', '2 claude:opus', 'codex']);
  expect(all.map(({ slug }) => slug)).toEqual(['1-claude-opus', '2-claude-opus', '3-codex']);
});

const wrong = [
  [['cluade:opus'], "--with 'cluade:opus' names no agent", 'Did you mean claude?'],
  [[''], "--with '' names no agent", 'AGENT[:MODEL[:EFFORT]]'],
  [['claude opus'], "--with 'claude opus': opus is not key=value", 'key=value'],
  [['codex', 'codex'], "--with 'codex' is given twice", 'once'],
] as const;

test.each(wrong)('%s is refused', (words, message, hint) => {
  const failure = (() => {
    try {
      return readContestants(words);
    } catch (error) {
      return error;
    }
  })();
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code: 'usage', message });
  expect((failure as Failure).hint).toContain(hint);
});
