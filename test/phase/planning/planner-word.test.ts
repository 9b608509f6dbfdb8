// What a planner's answer is taken for: one row for each form, and for what only looks like one.
import { expect, test } from 'vitest';
import type { DialogueFact } from '../../../src/journal/state-parts.ts';
import { readPlannerWord } from '../../../src/phase/planning/converse.ts';

const block = (name: string, text: string, nonce = 'ab12') =>
  `Look.\n\n<<<PAWL:${name} ${nonce}>>>\n${text}\n<<<PAWL:END ${nonce}>>>\n`;
const corrected = (what: 'question' | 'answer' | 'draft'): readonly DialogueFact[] => [
  { type: 'dialogue', state: 'corrected', session: 1, what, problem: 'no' },
];
const json = '{"question": "Which?", "options": ["a", "b"]}';

test.each<[string, string, readonly DialogueFact[], object]>([
  ['a question', block('QUESTION', json), [], { kind: 'question', question: { question: 'Which?' } }],
  ['a draft', block('PLAN_DRAFT', '# Plan: A'), [], { kind: 'draft', text: '# Plan: A\n' }],
  ['neither', 'What now?', [], { kind: 'unread', what: 'answer' }],
  ['another session’s word', block('QUESTION', json, 'ffff'), [], { kind: 'unread', what: 'question' }],
  ['a draft without an end', '<<<PAWL:PLAN_DRAFT ab12>>>\n# Plan', [], { kind: 'unread', what: 'answer' }],
  ['a question that is none', block('QUESTION', 'Which?'), [], { kind: 'unread', what: 'question' }],
  [
    'of both the last',
    block('QUESTION', json) + block('PLAN_DRAFT', '# B'),
    [],
    { kind: 'draft', text: '# B\n' },
  ],
  [
    'of both the last, the other way',
    block('PLAN_DRAFT', '# B') + block('QUESTION', json),
    [],
    { kind: 'question' },
  ],
  [
    'unread again: shown as it is',
    block('QUESTION', 'Which?'),
    corrected('question'),
    { kind: 'question', question: { question: 'Look.\n\n\nWhich?' } },
  ],
  [
    'prose again',
    'What now?',
    corrected('answer'),
    { kind: 'question', question: { question: 'What now?' } },
  ],
  ['nothing but lines of the protocol', '<<<PAWL:END ab12>>>', [], { kind: 'unread', what: 'answer' }],
  ['the same again', '<<<PAWL:END ab12>>>', corrected('answer'), { kind: 'silent' }],
  ['prose after a draft that was sent back', 'What now?', corrected('draft'), { kind: 'unread' }],
])('%s', (_, answer, words, word) => {
  expect(readPlannerWord(answer, { nonce: 'ab12', words })).toMatchObject(word);
});

test('a marker that asks is a question for own words', () => {
  const word = readPlannerWord('Hm.\n<<<PAWL:NEEDS_INPUT ab12>>> Which?', {
    nonce: 'ab12',
    words: [],
    asks: 'Which?',
  });
  expect(word).toEqual({ kind: 'question', question: { question: 'Which?' } });
});

test('long prose is bounded', () => {
  const word = readPlannerWord('x'.repeat(9_000), { nonce: 'ab12', words: corrected('answer') });
  expect(word.kind === 'question' && word.question.question.length).toBeLessThan(4_100);
});
