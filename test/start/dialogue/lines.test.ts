// A person behind plain lines: what each line is taken for, and what becomes of a draft.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { DraftShown } from '../../../src/place/person.ts';
import { parseAnswers } from '../../../src/plan/answers.ts';
import { nobody, sayYes, withAnswers } from '../../../src/start/dialogue/choose-person.ts';
import { speakInLines } from '../../../src/start/dialogue/lines.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const question = sampleFacts['question-asked'];
const draft = { ...sampleFacts['draft-given'], errors: [], notes: [] };
const shown: DraftShown = { draft, text: 'a\nb\n', file: '/run/draft-001.md' };

function speak(lines: readonly string[], edited?: string) {
  const said: string[] = [];
  const person = speakInLines({
    stdin: Readable.from(lines.map((line) => `${line}\n`)),
    signal: new AbortController().signal,
    say: (text) => said.push(text),
    show: () => said.push('(the draft)'),
    diff: () => said.push('(the difference)'),
    edit: async () => edited,
  });
  return { person, said };
}

test.each<[readonly string[], unknown]>([
  [['1'], { answer: 'Redis', by: 'person' }],
  [['2'], { answer: 'Memory', by: 'person' }],
  [['in a file'], { answer: 'in a file', by: 'person' }],
  [['', '3', '0', ' 2 '], { answer: 'Memory', by: 'person' }],
  [[], { silence: 'the input ended before the answer' }],
])('to a question %j', async (lines, answer) => {
  expect(await speak(lines).person.answer(question)).toMatchObject(answer as object);
});

test('without options a number is an answer like any other', async () => {
  const { person, said } = speak(['7']);
  expect(await person.answer({ ...question, options: [] })).toEqual({ answer: '7', by: 'person' });
  expect(said).toEqual(['Your answer:']);
});

const own = 'a\nc\n';
test.each<[string, readonly string[], DraftShown, unknown]>([
  ['accepted by number', ['1'], shown, { choice: 'accepted' }],
  ['by its first letters', ['acc'], shown, { choice: 'accepted' }],
  ['commented on', ['2', '', 'be brief'], shown, { choice: 'commented', text: 'be brief' }],
  ['rejected', ['reject'], shown, { choice: 'rejected' }],
  ['edited, and taken', ['edit', '1'], shown, { choice: 'edited', text: own }],
  [
    'edited, and sent',
    ['edit', 'send'],
    shown,
    { choice: 'commented', text: expect.stringContaining('-b\n+c') },
  ],
  ['edited, dropped, accepted', ['edit', '3', '1'], shown, { choice: 'accepted' }],
  ['compared, then accepted', ['diff', 'accept'], { ...shown, before: 'b\n' }, { choice: 'accepted' }],
  ['a first one has no difference', ['diff', 'accept'], shown, { choice: 'accepted' }],
  [
    'with mistakes it is not accepted',
    ['accept', 'reject'],
    { ...shown, draft: { ...draft, errors: ['1:1'] } },
    { choice: 'rejected' },
  ],
  ['nobody is left', ['hm'], shown, { silence: expect.any(String) }],
])('a draft: %s', async (_, lines, given, judgement) => {
  expect(await speak(lines, own).person.judge(given)).toMatchObject(judgement as object);
});

test('an edit that changed nothing leaves the choice', async () => {
  expect(await speak(['edit', 'accept']).person.judge(shown)).toEqual({ choice: 'accepted', by: 'person' });
});

test.each([
  [['y'], true],
  [['hm', 'No'], false],
])('checks may be run: %j', async (lines, may) => {
  expect(await speak(lines).person.allowsChecks(['npm test'])).toBe(may);
});

test('an interruption ends every wait', async () => {
  const ending = new AbortController();
  const person = speakInLines({
    stdin: new Readable({ read: () => {} }),
    signal: ending.signal,
    say: () => ending.abort(),
    show: () => {},
    diff: () => {},
    edit: async () => undefined,
  });
  expect(await person.answer(question)).toMatchObject({ silence: expect.any(String) });
});

test('answers of a file come first, then what is recommended, and own words where there is nothing to choose', async () => {
  const reading = parseAnswers('kept: 2\ndefault: recommended\n');
  if (!('answers' in reading)) throw new Error('no answers');
  const person = withAnswers({ answers: reading.answers, file: 'a.yaml' }, sayYes());
  const header = { ...question, text: 'Where are sessions kept?' };
  expect(await person.answer(header)).toMatchObject({ answer: 'Memory', by: 'file' });
  expect(await person.answer({ ...question, text: 'Other?', options: [] })).toMatchObject({ by: 'file' });
  expect(await sayYes().answer(question)).toMatchObject({ answer: 'Redis', because: 'it is recommended' });
  expect(await sayYes().answer({ ...question, options: [] })).toMatchObject({ by: 'default' });
});

test('nobody accepts a plan with mistakes, and nobody runs what nobody allowed', async () => {
  const wrong = { ...shown, draft: { ...draft, errors: ['1:1'] } };
  expect(await sayYes().judge(wrong)).toMatchObject({ silence: expect.stringContaining('has mistakes') });
  expect(await sayYes().judge(shown)).toEqual({ choice: 'accepted', by: 'default' });
  expect(await nobody().allowsChecks(['rm'])).toBe(false);
  expect(await nobody().answer(question)).toMatchObject({ silence: expect.stringContaining('question 1') });
});
