// A person behind plain lines: what each line is taken for, and what becomes of a draft.
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import type { DraftShown } from '../../../src/place/run.ts';
import type { Terminal } from '../../../src/report/terminal/terminal.ts';
import { personAt } from '../../../src/start/dialogue/lines.ts';
import { sayYes } from '../../../src/start/dialogue/person.ts';
import { makeWorld } from '../../cli/world.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const question = sampleFacts['dialogue-asked'];
const draft = { ...sampleFacts['dialogue-drafted'], errors: [], notes: [] };
const nobody = { screen: undefined, open: undefined };
const world = makeWorld();
afterAll(() => world[Symbol.dispose]());
const shown: DraftShown = { draft, text: 'a\nb\n', file: path.join(world.cwd, 'draft-001.md') };

/** `editor`: what becomes of a draft in it. */
function speak(lines: readonly string[], editor = 'true', screen?: (said: string[]) => Terminal) {
  const said: string[] = [];
  const context = world.context({
    stdin: Readable.from(lines.map((line) => `${line}\n`)),
    stderr: new Writable({ write: (chunk, _, done) => done(void said.push(`${chunk}`.trimEnd())) }),
  });
  const seat = { ...nobody, screen: screen?.(said) };
  const person = personAt({ ...context, env: { ...context.env, EDITOR: editor } }, seat);
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

test('nothing is written while the status line is on the screen', async () => {
  const still = (said: string[]) => (isStill: boolean) => void said.push(isStill ? 'off' : 'on');
  const { person, said } = speak(['2', 'y', 'acc'], 'true', (to) => ({ still: still(to) }) as Terminal);
  await person.answer(question);
  await person.allowsChecks(['npm test']);
  await person.judge(shown);
  const isOn = said.map((_, at) => said.findLast((word, on) => on < at && /^o/.test(word)) !== 'off');
  expect(said.filter((word, at) => isOn[at] && !/^o(?:n|ff)$/.test(word))).toEqual([]);
  expect(said.filter((word) => word === 'off')).toHaveLength(3);
});

test('without options a number is an answer like any other', async () => {
  const { person, said } = speak(['7']);
  expect(await person.answer({ ...question, options: [] })).toEqual({ answer: '7', by: 'person' });
  expect(said).toEqual(['Your answer:']);
});

test.each<[string, readonly string[], DraftShown, unknown]>([
  ['accepted by number', ['1'], shown, { choice: 'accepted' }],
  ['by its first letters', ['acc'], shown, { choice: 'accepted' }],
  ['commented on', ['2', '', 'be brief'], shown, { choice: 'commented', text: 'be brief' }],
  ['rejected', ['reject'], shown, { choice: 'rejected' }],
  ['edited', ['edit'], shown, { choice: 'edited', text: 'a\nc\n' }],
  [
    'with mistakes it is not accepted',
    ['accept', 'reject'],
    { ...shown, draft: { ...draft, errors: ['1:1'] } },
    { choice: 'rejected' },
  ],
  ['nobody is left', ['hm'], shown, { silence: expect.any(String) }],
])('a draft: %s', async (_, lines, given, judgement) => {
  expect(await speak(lines, 'sed -i s/b/c/').person.judge(given)).toMatchObject(judgement as object);
});

test('an editor that fails leaves the choice, whatever it did to its copy', async () => {
  const { person, said } = speak(['edit', 'accept'], 'f() { rm "$1"; exit 3; }; f');
  expect(await person.judge(shown)).toEqual({ choice: 'accepted', by: 'person' });
  expect(said.join('\n')).toContain('exit 3; the draft is unchanged');
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
  const context = world.context({
    stdin: new Readable({ read: () => {} }),
    signal: ending.signal,
    stderr: new Writable({ write: (_chunk, _, done) => done(void ending.abort()) }),
  });
  const person = personAt(context, nobody);
  expect(await person.answer(question)).toMatchObject({ silence: expect.any(String) });
});

const numbers = ['1', '30', 'Never'].map((label) => ({ label, recommended: label === '30' }));

test.each([
  ['a number', ['3'], 'Never', 1],
  ['an option’s own words, before its number', ['30'], '30', 1],
  ['in any case', ['never'], 'Never', 1],
  ['a number that is none of them, and an empty line', ['', '4', '2'], '30', 3],
])('options that are numbers, after what was told: %s', async (_, lines, answer, times) => {
  const { person, said } = speak(lines);
  // The terminal's lines of this turn go out with the turn's end.
  setImmediate(() => said.push('(told)'));
  expect(await person.answer({ ...question, options: numbers })).toEqual({ answer, by: 'person' });
  const asked = Array(times).fill('Your answer (1 to 3, or in your own words):');
  expect(said).toEqual(['(told)', '  1. 1', '  2. 30 (recommended)', '  3. Never', ...asked]);
});

test('with nobody there what is recommended is taken, and a plan with mistakes is not', async () => {
  const yes = sayYes(true);
  expect(await yes.answer(question)).toMatchObject({ answer: 'Redis', because: 'it is recommended' });
  expect(await yes.answer({ ...question, options: [] })).toMatchObject({ by: 'default' });
  const wrong = { ...shown, draft: { ...draft, errors: ['1:1'] } };
  expect(await yes.judge(wrong)).toMatchObject({ silence: expect.stringContaining('has mistakes') });
  expect(await yes.judge(shown)).toEqual({ choice: 'accepted', by: 'default' });
  // A planner's commands run the repository's code.
  expect([await yes.allowsChecks(['npm test']), await sayYes(false).allowsChecks(['npm test'])]).toEqual([
    true,
    false,
  ]);
});

test('an answer about commands holds as long as no others come', async () => {
  const { person } = speak(['n', 'y']);
  expect(await person.allowsChecks(['a', 'b'])).toBe(false);
  expect(await person.allowsChecks(['b'])).toBe(false);
  expect(await person.allowsChecks(['c'])).toBe(true);
});
