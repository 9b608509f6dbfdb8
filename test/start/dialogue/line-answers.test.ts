// An answer by a line, where options are numbers themselves: words come before numbers, and options after what was told.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { speakInLines } from '../../../src/start/dialogue/lines.ts';
import { fact } from '../../helpers/facts.ts';

const options = ['1', '30', 'Never'].map((label) => ({ label, recommended: label === '30' }));

test.each([
  ['a number', '3\n', 'Never', 1],
  ['an option’s own words, before its number', '30\n', '30', 1],
  ['in any case', 'never\n', 'Never', 1],
  ['a number that is none of them, and an empty line', '\n4\n2\n', '30', 3],
])('%s', async (_, lines, answer, times) => {
  const said: string[] = [];
  const stdin = Readable.from([lines]);
  const { signal } = new AbortController();
  const nothing = { show: () => {}, diff: () => {}, edit: async () => undefined };
  const person = speakInLines({ stdin, signal, say: (text) => said.push(text), ...nothing });
  // The terminal's lines of this turn go out with the turn's end.
  setImmediate(() => said.push('(told)'));
  expect(await person.answer(fact('question-asked', { options }))).toEqual({ answer, by: 'person' });
  const asked = Array(times).fill('Your answer (1 to 3, or in your own words):');
  expect(said).toEqual(['(told)', '  1. 1', '  2. 30 (recommended)', '  3. Never', ...asked]);
});
