// A planner's questions: every form that is read, and what is said about those that cannot be.
import { describe, expect, test } from 'vitest';
import { parseQuestion, preferredOption } from '../../src/plan/question.ts';

const option = (label: string, more: Readonly<{ why?: string; recommended?: boolean }> = {}) => ({
  label,
  recommended: false,
  ...more,
});
const json = (value: unknown) => JSON.stringify(value);
const ab = ['Redis', 'In memory'];

describe('read', () => {
  test.each([
    [
      'ralphex’s form',
      json({ question: 'Which cache?', options: ab, context: 'There is none yet.' }),
      {
        question: 'Which cache?',
        context: 'There is none yet.',
        options: [option('Redis'), option('In memory')],
      },
    ],
    [
      'options as objects',
      json({
        header: 'Cache',
        question: ' Which? ',
        options: [{ label: 'Redis', why: 'shared', recommended: true }, { label: 'In memory' }],
      }),
      {
        header: 'Cache',
        question: 'Which?',
        options: [option('Redis', { why: 'shared', recommended: true }), option('In memory')],
      },
    ],
    [
      'other names for the same',
      json({
        question: 'Which?',
        options: [
          { title: 'A', description: 'a' },
          { option: 'B', reason: 'b' },
        ],
      }),
      { question: 'Which?', options: [option('A', { why: 'a' }), option('B', { why: 'b' })] },
    ],
    [
      'a fence around it',
      `\`\`\`json\n${json({ question: 'Which?', options: ab })}\n\`\`\``,
      { question: 'Which?', options: [option('Redis'), option('In memory')] },
    ],
    [
      'a list of one question',
      json({ questions: [{ question: 'Which?', options: ab }] }),
      { question: 'Which?', options: [option('Redis'), option('In memory')] },
    ],
    [
      'a bare list of one',
      json([{ question: 'Which?', options: ab }]),
      { question: 'Which?', options: [option('Redis'), option('In memory')] },
    ],
    [
      'recommended by label',
      json({ question: 'Which?', options: ab, recommended: 'in memory' }),
      { question: 'Which?', options: [option('Redis'), option('In memory', { recommended: true })] },
    ],
    [
      'recommended by number',
      json({ question: 'Which?', options: ab, recommended: 2 }),
      { question: 'Which?', options: [option('Redis'), option('In memory', { recommended: true })] },
    ],
    [
      'recommended in the label',
      json({ question: 'Which?', options: ['Redis', 'In memory (Recommended)'] }),
      { question: 'Which?', options: [option('Redis'), option('In memory', { recommended: true })] },
    ],
    [
      'two recommended: the first',
      json({ question: 'Which?', options: ['Redis (recommended)', 'In memory [recommended]'] }),
      { question: 'Which?', options: [option('Redis', { recommended: true }), option('In memory')] },
    ],
    [
      'a number as option',
      json({ question: 'Port?', options: [80, 8080] }),
      { question: 'Port?', options: [option('80'), option('8080')] },
    ],
    [
      'own words among the options',
      json({ question: 'Which?', options: [...ab, 'Other (please specify)', 'Something else'] }),
      { question: 'Which?', options: [option('Redis'), option('In memory')] },
    ],
    [
      'an empty header and context',
      json({ header: ' ', context: '', question: 'Which?', options: ab }),
      { question: 'Which?', options: [option('Redis'), option('In memory')] },
    ],
    [
      'lines',
      'Which cache?\n\n- Redis (recommended): shared by all\n- **In memory** — simple\n- `http://cache`',
      {
        question: 'Which cache?',
        options: [
          option('Redis', { why: 'shared by all', recommended: true }),
          option('In memory', { why: 'simple' }),
          option('http://cache'),
        ],
      },
    ],
    [
      'numbered lines, labels before them, words behind',
      'QUESTION: Which cache?\r\nIt is for sessions.\r\nOptions:\r\n1. Redis - shared\r\n   by all\r\n2) In memory\r\n\r\nRecommended: 2\r\nThe others need a server.',
      {
        question: 'Which cache?\nIt is for sessions.',
        context: 'The others need a server.',
        options: [option('Redis', { why: 'shared by all' }), option('In memory', { recommended: true })],
      },
    ],
    [
      'lettered lines, recommended by name before them',
      'Which?\nRecommended: Redis\n(a) Redis\n(b) In memory',
      { question: 'Which?', options: [option('Redis', { recommended: true }), option('In memory')] },
    ],
  ])('%s', (_, text, value) => {
    expect(parseQuestion(text)).toEqual({ value });
  });
});

describe('told back', () => {
  test.each([
    ['nothing', ' \n', 'the QUESTION block is empty'],
    ['an empty fence', '```json\n```', 'the QUESTION block is empty'],
    ['broken JSON', '{"question": "Which?",', 'starts like JSON but is not JSON'],
    ['no question', json({ options: ab }), 'the question itself is missing'],
    ['a blank question', json({ question: ' ', options: ab }), 'the question itself is missing'],
    ['a list alone', '- Redis\n- In memory', 'the question itself is missing'],
    ['no options', json({ question: 'Which?' }), '`options` is missing'],
    ['a question without a list', 'Which cache do you want?', '2 to 4 options, and this one has 0'],
    ['one option', json({ question: 'Which?', options: ['Redis'] }), '2 to 4 options, and this one has 1'],
    [
      'five',
      json({ question: 'Which?', options: ['1', '2', '3', '4', '5'] }),
      '2 to 4 options, and this one has 5',
    ],
    ['one beside own words', json({ question: 'Which?', options: ['Redis', 'Other'] }), 'and this one has 1'],
    ['the same twice', json({ question: 'Which?', options: ['Redis', 'redis '] }), '“redis” appears twice'],
    ['an option without words', json({ question: 'Which?', options: ['Redis', ' '] }), 'has no `label`'],
    ['an option that is a list', json({ question: 'Which?', options: ['Redis', []] }), 'neither text nor'],
    ['an option without a label', json({ question: 'Which?', options: ['Redis', {}] }), 'neither text nor'],
    [
      'two questions',
      json({
        questions: [
          { question: 'A?', options: ab },
          { question: 'B?', options: ab },
        ],
      }),
      'one question at a time, and these are 2',
    ],
    ['no question at all', '[]', 'one question at a time, and these are 0'],
    ['a list of text', '["a"]', 'holds no JSON object'],
    ['a book', json({ question: 'x'.repeat(4_001), options: ab }), 'more than 4000 characters'],
  ])('%s', (_, text, problem) => {
    expect(parseQuestion(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});

test('where nobody is asked, the recommended option is taken, else the first', () => {
  const options = [option('A'), option('B', { recommended: true })];
  expect(preferredOption({ question: 'Which?', options })).toEqual(options[1]);
  expect(preferredOption({ question: 'Which?', options: [option('A'), option('B')] })).toEqual(option('A'));
});
