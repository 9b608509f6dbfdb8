// What a planner's answer is taken for: one row for each form, and for what only looks like one.
import { expect, test } from 'vitest';
import type { DialogueFact } from '../../../src/journal/state.ts';
import { readPlannerWord } from '../../../src/phase/planning/converse.ts';

const block = (name: string, text: string, nonce = 'ab12') =>
  `Look.\n\n<<<PAWL:${name} ${nonce}>>>\n${text}\n<<<PAWL:END ${nonce}>>>\n`;
const corrected = (what: 'question' | 'answer' | 'draft'): readonly DialogueFact[] => [
  { type: 'dialogue', state: 'corrected', session: 1, what, problem: 'no' },
];
const json = '{"question": "Which?", "options": ["a", "b"]}';
const question = block('QUESTION', json);

test.each<[string, string, readonly DialogueFact[], object]>([
  ['a question', question, [], { state: 'asked', text: 'Which?' }],
  ['a draft', block('PLAN_DRAFT', '# Plan: A'), [], { state: 'drafted', text: '# Plan: A\n' }],
  [
    'neither',
    'What now?',
    [],
    { what: 'answer', problem: expect.stringContaining('QUESTION or PLAN_DRAFT') },
  ],
  ['another session’s word', block('QUESTION', json, 'ffff'), [], { state: 'corrected', what: 'question' }],
  ['a draft without an end', '<<<PAWL:PLAN_DRAFT ab12>>>\n# Plan', [], { what: 'answer' }],
  ['a question that is none', block('QUESTION', 'Which?'), [], { state: 'corrected', what: 'question' }],
  ['of both the last', question + block('PLAN_DRAFT', '# B'), [], { state: 'drafted', text: '# B\n' }],
  ['the other way round', block('PLAN_DRAFT', '# B') + question, [], { state: 'asked' }],
  ['unread again: as it is', block('QUESTION', 'A?'), corrected('question'), { text: 'Look.\n\n\nA?' }],
  ['prose again', 'What now?', corrected('answer'), { state: 'asked', text: 'What now?' }],
  ['nothing but lines of the protocol', '<<<PAWL:END ab12>>>', [], { state: 'corrected', what: 'answer' }],
  ['prose after a draft that was sent back', 'What now?', corrected('draft'), { state: 'corrected' }],
])('%s', (_, answer, words, word) => {
  expect(readPlannerWord(answer, { nonce: 'ab12', words })).toMatchObject({ value: word });
});

test('a marker that asks is a question for own words', () => {
  const word = readPlannerWord('Hm.', { nonce: 'ab12', words: [], asks: 'Which?' });
  expect(word).toEqual({ value: { state: 'asked', text: 'Which?', options: [] } });
});

test('long prose is bounded', () => {
  const word = readPlannerWord('x'.repeat(9_000), { nonce: 'ab12', words: corrected('answer') });
  expect('value' in word && word.value.state === 'asked' && word.value.text.length).toBeLessThan(4_100);
});

test('only lines of the protocol, told before, are nothing', () => {
  const told = { nonce: 'ab12', words: corrected('answer') };
  expect(readPlannerWord('<<<PAWL:END ab12>>>', told)).toEqual({ problem: 'it said nothing' });
});
