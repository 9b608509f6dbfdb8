// The step language: which turn answers, what is filled in, how steps become replies.
import { expect, test } from 'vitest';
import { chooseTurn, fillIn, findNonce, splitReplies } from '../fixtures/agents/scripted/choose-turn.ts';
import type { Script, Step, Turn } from '../fixtures/agents/scripted/script.ts';

const say = (text: string): Step => ({ say: text });
const turn = (more: Partial<Turn> = {}): Turn => ({ steps: [say('x')], ...more });

test.each<[name: string, turns: Turn[], text: string, spent: number[], index: number | undefined]>([
  ['the first turn that fits', [turn({ when: 'a' }), turn({ when: 'b' })], 'to b', [], 1],
  ['text is no pattern', [turn({ when: 'a.c' }), turn()], 'abc', [], 1],
  ['a pattern', [turn({ when: { regex: 'a.c' } }), turn()], 'abc', [], 0],
  ['a pattern sees lines', [turn({ when: { regex: '^two$' } })], 'one\ntwo\nthree', [], 0],
  ['a schema is not asked for', [turn({ when: { schema: true } }), turn()], 'x', [], 1],
  ['nothing fits', [turn({ when: 'a' })], 'b', [], undefined],
  ['no turns', [], 'b', [], undefined],
  ['a turn without condition answers once in a session', [turn(), turn()], 'x', [0], 1],
  ['a turn with a condition answers again', [turn({ when: 'x' }), turn()], 'x', [0], 0],
  ['but not if it says so', [turn({ when: 'x', once: true }), turn()], 'x', [0], 1],
  ['nor if it says so for a session', [turn({ when: 'x', once: 'session' }), turn()], 'x', [0], 1],
  ['a turn without condition may answer always', [turn({ once: false }), turn()], 'x', [0], 0],
  ['all are spent', [turn()], 'x', [0], undefined],
])('%s', (_name, turns, text, spent, index) => {
  const claim = (at: number) => !spent.includes(at);
  expect(chooseTurn({ turns }, { text, hasSchema: false }, claim)).toBe(index);
});

test('a session that asks for an answer by schema has turns of its own', () => {
  const script: Script = { turns: [turn({ when: { schema: true } }), turn()] };
  expect(chooseTurn(script, { text: '', hasSchema: true }, () => true)).toBe(0);
});

test('only the turn that is chosen is claimed, with its scope', () => {
  const claimed: unknown[] = [];
  const turns = [turn({ when: 'other', once: true }), turn({ when: 'x', once: true }), turn()];
  const claim = (...args: unknown[]) => {
    claimed.push(args);
    return true;
  };
  chooseTurn({ turns }, { text: 'x', hasSchema: false }, claim);
  expect(claimed).toEqual([[1, 'ever']]);
});

test.each<[texts: string[], nonce: string | undefined]>([
  [[], undefined],
  [['no marker'], undefined],
  [['<<<PAWL:TASK_DONE ab12>>>'], 'ab12'],
  [['<<<PAWL:TASK_DONE ab12>>>', 'a correction without one'], 'ab12'],
  [['<<<PAWL:TASK_DONE ab12>>>', '<<<PAWL:TASK_FAILED 00ff>>>'], '00ff'],
  [['<<<RALPHEX:TASK_DONE ab12>>>', '<<<PAWL:TASK_DONE xyz>>>', '<<<PAWL:TASK_DONE>>>'], undefined],
])('the nonce of %j is %s', (texts, nonce) => {
  expect(findNonce(texts)).toBe(nonce);
});

test.each<[text: string, nonce: string | undefined, filled: string]>([
  ['plain', 'ab12', 'plain'],
  ['{{marker TASK_DONE}}', 'ab12', '<<<PAWL:TASK_DONE ab12>>>'],
  ['{{marker TASK_DONE a {b} c}}', 'ab12', '<<<PAWL:TASK_DONE ab12>>> a {b} c'],
  ['{{marker TASK_DONE sum}}', undefined, '<<<PAWL:TASK_DONE>>> sum'],
  [
    'x\n{{marker REPLAN a}}\n{{marker TASK_DONE b}}',
    '0000',
    'x\n<<<PAWL:REPLAN 0000>>> a\n<<<PAWL:TASK_DONE 0000>>> b',
  ],
  ['{{nonce}}/{{nonce}}', 'ab12', 'ab12/ab12'],
  ['{{nonce}}', undefined, ''],
  ['{{other}} {{marker lower}}', 'ab12', '{{other}} {{marker lower}}'],
])('%j with the nonce %s', (text, nonce, filled) => {
  expect(fillIn(text, nonce)).toBe(filled);
});

const bash: Step = { bash: 'true' };
const answer: Step = { answer: {} };
test.each<[name: string, steps: Step[], replies: Step[][]]>([
  ['no step is one empty reply', [], [[]]],
  ['text is one reply', [say('a'), say('b')], [[say('a'), say('b')]]],
  ['a tool ends its reply', [say('a'), bash, say('b')], [[say('a'), bash], [say('b')]]],
  ['after a last tool the model says nothing', [bash], [[bash], []]],
  ['each tool has its own reply', [bash, bash], [[bash], [bash], []]],
  ['an answer by schema ends the turn', [say('a'), answer], [[say('a'), answer]]],
  ['unless more follows', [answer, answer], [[answer], [answer]]],
])('%s', (_name, steps, replies) => {
  expect(splitReplies(steps)).toEqual(replies);
});
