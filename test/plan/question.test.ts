// A planner's questions: every form that is read, and what is said about those that cannot be.
import { describe, expect, test } from 'vitest';
import { parseQuestion } from '../../src/plan/question.ts';

const json = (value: unknown) => JSON.stringify(value);
const ab = ['Redis', 'In memory'];
const [redis, memory] = ab.map((label) => ({ label, recommended: false }));
const plain = { text: 'Which?', options: [redis, memory] };

describe('read', () => {
  test.each([
    [
      'ralphex’s form',
      json({ question: 'Which?', options: ab, context: 'There is none yet.' }),
      { ...plain, context: 'There is none yet.' },
    ],
    [
      'options as objects',
      json({
        header: 'Cache',
        question: ' Which? ',
        options: [{ label: 'Redis', why: 'shared', recommended: true }, { label: 'In memory' }],
      }),
      { ...plain, header: 'Cache', options: [{ ...redis, why: 'shared', recommended: true }, memory] },
    ],
    ['a fence around it', `\`\`\`json\n${json({ question: 'Which?', options: ab })}\n\`\`\``, plain],
    [
      'two recommended: the first',
      json({ question: 'Which?', options: ab.map((label) => ({ label, recommended: true })) }),
      { ...plain, options: [{ ...redis, recommended: true }, memory] },
    ],
    [
      'a number as option',
      json({ question: 'Which?', options: [80, 'In memory'] }),
      { ...plain, options: [{ label: '80', recommended: false }, memory] },
    ],
    [
      'an empty header and context',
      json({ header: ' ', context: '', question: 'Which?', options: ab }),
      plain,
    ],
  ])('%s', (_, text, value) => {
    expect(parseQuestion(text)).toEqual({ value });
  });
});

describe('told back', () => {
  test.each([
    ['nothing', ' \n', 'is not JSON'],
    ['an empty fence', '```json\n```', 'is not JSON'],
    ['broken JSON', '{"question": "Which?",', 'is not JSON'],
    ['no question', json({ options: ab }), 'the question itself is missing'],
    ['a blank question', json({ question: ' ', options: ab }), 'the question itself is missing'],
    ['lines', 'Which cache?\n- Redis\n- In memory', 'is not JSON'],
    ['no options', json({ question: 'Which?' }), '`options` is missing'],
    ['one option', json({ question: 'Which?', options: ['Redis'] }), '2 to 4 options'],
    ['five', json({ question: 'Which?', options: ['1', '2', '3', '4', '5'] }), '2 to 4 options'],
    [
      'two alike',
      json({ question: 'Which?', options: ['Redis', ' redis', 'None'] }),
      'two options are alike',
    ],
    ['an option without words', json({ question: 'Which?', options: ['Redis', ' '] }), 'options[1].label'],
    ['an option that is a list', json({ question: 'Which?', options: ['Redis', []] }), 'options[1]'],
    ['an option without a label', json({ question: 'Which?', options: ['Redis', {}] }), 'options[1].label'],
    ['a list of text', '["a"]', 'expected object'],
    ['a book', json({ question: 'x'.repeat(4_001), options: ab }), 'more than 4000 characters'],
  ])('%s', (_, text, problem) => {
    expect(parseQuestion(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
