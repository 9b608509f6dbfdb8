// Answers written beforehand: every form of the file, what is wrong with one, and which answer a question gets.
import { describe, expect, test } from 'vitest';
import { answerOf, parseAnswers, readChoice } from '../../src/plan/answers.ts';
import type { Question } from '../../src/plan/question.ts';

const question: Question = {
  header: 'Storage',
  question: 'Which cache shall it be?',
  options: [
    { label: 'Redis', recommended: false },
    { label: 'In memory', recommended: true },
    { label: '2', recommended: false },
  ],
};

function answer(text: string) {
  const reading = parseAnswers(text);
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  answerOf(reading.answers, question, 'a.yaml');
  // A second time is like the first.
  return answerOf(reading.answers, question, 'a.yaml');
}

describe('an answer is found', () => {
  test.each([
    ['a map', 'port: 80\ncache: redis\n', { answer: 'Redis', option: 0, because: 'a.yaml:2, for “cache”' }],
    [
      'a list of pairs',
      '- port: 80\n- CACHE: Redis\n',
      { answer: 'Redis', option: 0, because: 'a.yaml:2, for “CACHE”' },
    ],
    [
      'a list of questions and answers',
      '- question: cache\n  answer: Redis\n',
      { answer: 'Redis', option: 0, because: 'a.yaml:1, for “cache”' },
    ],
    [
      'below a key, with a default beside it',
      'default: first\nanswers:\n  - port: 80\n',
      { answer: 'Redis', option: 0, because: 'a.yaml:1, the default' },
    ],
    [
      'a map below a key',
      'answers:\n  cache: Redis\n',
      { answer: 'Redis', option: 0, because: 'a.yaml:2, for “cache”' },
    ],
    [
      'a question with the word `answers`',
      'answers: x\ncache: Redis',
      { answer: 'Redis', option: 0, because: 'a.yaml:2, for “cache”' },
    ],
    [
      'an expression',
      '/^which .*\\?$/im: Redis',
      { answer: 'Redis', option: 0, because: 'a.yaml:1, for “/^which .*\\?$/im”' },
    ],
    [
      'an expression, each time anew',
      '/cache/g: Redis',
      { answer: 'Redis', option: 0, because: 'a.yaml:1, for “/cache/g”' },
    ],
    ['an expression minds the case', '/CACHE/: Redis', undefined],
    ['a path is no expression', '/var/lib: Redis\n', undefined],
    ['the header', 'storage: Redis', { answer: 'Redis', option: 0, because: 'a.yaml:1, for “storage”' }],
    ['the first that fits', 'which: own\ncache: Redis', { answer: 'own', because: 'a.yaml:1, for “which”' }],
    [
      'the default comes last',
      'default: x\ncache: Redis',
      { answer: 'Redis', option: 0, because: 'a.yaml:2, for “cache”' },
    ],
    ['no number of a kind of its own', 'cache: 1.10', { answer: '1.10', because: 'a.yaml:1, for “cache”' }],
    ['a word of YAML', 'cache: true', { answer: 'true', because: 'a.yaml:1, for “cache”' }],
    [
      'several lines',
      'cache: |\n  Both.\n  Really.\n',
      { answer: 'Both.\nReally.', because: 'a.yaml:1, for “cache”' },
    ],
    ['none', 'port: 80', undefined],
  ])('%s', (_, text, found) => {
    expect(answer(text)).toEqual(found);
  });
});

test.each([
  ['redis ', { answer: 'Redis', option: 0 }],
  ['1', { answer: 'Redis', option: 0 }],
  ['2', { answer: '2', option: 2 }],
  ['3', { answer: '2', option: 2 }],
  ['4', { answer: '4' }],
  ['0', { answer: '0' }],
  ['recommended', { answer: 'In memory', option: 1 }],
  ['First', { answer: 'Redis', option: 0 }],
  [' both of them ', { answer: 'both of them' }],
])('“%s” chooses', (words, choice) => {
  expect(readChoice(words, question)).toEqual(choice);
});

describe('told', () => {
  test.each([
    ['an empty file', '', '1:1 there is no answer in it'],
    ['an empty list', '# none yet\n[]', 'there is no answer in it'],
    ['text', 'yes', '1:1 answers are written as'],
    ['a list of text', '- yes\n- no', '1:3 answers are written as', '2:3 answers are written as'],
    ['no YAML', 'a: [1', '1:6 Flow sequence'],
    ['the same twice', 'a: 1\na: 2', '2:1 Map keys must be unique'],
    ['no answer', 'port: 80\ncache:\n', '2:1 “cache” has no answer'],
    ['a blank answer', 'cache: " "', '1:1 “cache” has no answer'],
    ['an answer that is a list', 'cache: [a]', '1:1 “cache” has no answer'],
    ['an empty question', '"": x', '1:1 an empty text is a part of every question'],
    ['a question that is a list', '? [a]\n: x', '1:3 a question is named by'],
    ['a bad expression', '/(/: x', '1:1 /(/ is not a regular expression'],
    ['a second default', '- default: 1\n- default: 2', '2:1 there is a second default'],
    ['a question alone', '- question: cache', '1:3 the `answer` to this question is missing'],
    ['an answer alone', '- answer: x', '1:3 the `question` that this answers is missing'],
    [
      'more beside them',
      '- question: a\n  answer: b\n  why: c',
      '3:3 only `question` and `answer` are known',
    ],
    ['an entry that is empty', '-\n', '1:2 answers are written as'],
  ])('%s', (_, text, ...problems) => {
    const reading = parseAnswers(text);
    const said =
      'problems' in reading
        ? reading.problems.map(({ line, column, text: words }) => `${line}:${column} ${words}`)
        : [];
    expect(said).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });
});
