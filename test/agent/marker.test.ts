import { describe, expect, it, test } from 'vitest';
import { parseBlock, parseLessons, parseMarker } from '../../src/agent/marker.ts';

const key = { nonce: 'a1b2', bare: new Set<string>() };
const done = '<<<PAWL:TASK_DONE a1b2>>>';

describe('a marker counts', () => {
  it.each([
    ['as the only line', done, 'TASK_DONE', ''],
    ['as the last line', `All is well.\n\n${done}`, 'TASK_DONE', ''],
    ['before empty lines and blanks at the line end', `x\n${done}  \n\n \t\n`, 'TASK_DONE', ''],
    ['with CRLF line ends', `x\r\n${done}\r\n`, 'TASK_DONE', ''],
    ['with text', `${done} Added the route.`, 'TASK_DONE', 'Added the route.'],
    ['with text right behind it', `${done}\tAdded`, 'TASK_DONE', 'Added'],
    ['with a question', '<<<PAWL:NEEDS_INPUT a1b2>>> Which port?', 'NEEDS_INPUT', 'Which port?'],
    ['with ralphex’s word and the nonce', '<<<RALPHEX:TASK_FAILED a1b2>>> no', 'TASK_FAILED', 'no'],
    ['of every name', '<<<PAWL:PLAN_READY a1b2>>>', 'PLAN_READY', ''],
  ])('%s', (_, answer, name, text) => {
    expect(parseMarker(answer, key)).toEqual({ name, text });
  });

  it('without a nonce under ralphex’s word when the template shows the name so', () => {
    const bare = { nonce: 'a1b2', bare: new Set(['ALL_TASKS_DONE', 'CODEX_REVIEW_DONE']) };
    expect(parseMarker('<<<RALPHEX:ALL_TASKS_DONE>>>', bare)?.name).toBe('ALL_TASKS_DONE');
    expect(parseMarker('<<<RALPHEX:CODEX_REVIEW_DONE>>>', bare)?.name).toBe('REVIEW_DONE');
    expect(parseMarker('<<<RALPHEX:TASK_FAILED>>>', bare)).toBeUndefined();
    expect(parseMarker('<<<PAWL:ALL_TASKS_DONE>>>', bare)).toBeUndefined();
  });
});

test('lessons: three at most, by the nonce, not those of the prompt; the marker below or above still counts', () => {
  const lesson = (text: string, nonce = 'a1b2') => `<<<PAWL:LESSON ${nonce}>>> ${text}`;
  const said = [
    lesson('one sentence'),
    lesson('x', 'ffff'),
    ...['a', 'b', 'c', 'd'].map((each) => lesson(each)),
  ];
  const answer = `Done.\n${done} wrote it\n${said.join('\n')}`;
  expect(parseLessons(answer, key, `The form:\n${lesson('one sentence')}`)).toEqual(['a', 'b', 'c']);
  expect(parseMarker(answer, key)).toEqual({ name: 'TASK_DONE', text: 'wrote it' });
});

describe('a marker does not count', () => {
  it.each([
    ['retracted', `${done}\nNever mind, one test is red.`],
    ['quoted in prose', `I end with ${done}`],
    ['in bold', `**${done}**`],
    ['in a fence', `\`\`\`\n${done}\n\`\`\``],
    ['indented', `  ${done}`],
    ['with a wrong nonce', '<<<PAWL:TASK_DONE ffff>>>'],
    ['with a nonce in capitals', '<<<PAWL:TASK_DONE A1B2>>>'],
    ['without a nonce', '<<<PAWL:TASK_DONE>>>'],
    ['with an unknown name', '<<<PAWL:TASK_FINISHED a1b2>>>'],
    ['with a name that every object has', '<<<PAWL:CONSTRUCTOR a1b2>>>'],
    ['without its end', '<<<PAWL:TASK_DONE a1b2'],
    ['without any trace of one', 'a << b << c'],
    ['in an empty answer', ''],
  ])('%s', (_, answer) => {
    expect(parseMarker(answer, key)).toBeUndefined();
  });

  it('if another one follows', () => {
    const marker = parseMarker(`<<<PAWL:TASK_FAILED a1b2>>>\nNow it works.\n${done}`, key);
    expect(marker?.name).toBe('TASK_DONE');
  });
});

const open = '<<<PAWL:PLAN_DRAFT 12ab>>>';
const end = '<<<PAWL:END 12ab>>>';
const wrong = (why: string) => ({ problem: expect.stringContaining(why) });

test.each([
  ['a block', `Here it is.\n${open}\na\n\nb\n${end}\n`, { text: 'a\n\nb' }],
  ['an end without the word', `${open}\na\n<<<PAWL:END>>>`, { text: 'a' }],
  ['the last of two', `${open}\na\n${end}\n${open}\nb\n${end}`, { text: 'b' }],
  ['line ends of another system', `${open}\r\na\r\n${end}\r\n`, { text: 'a' }],
  ['nothing in it', `${open}\n${end}`, { text: '' }],
  ['no block', 'a\nb', wrong('no line opens')],
  ['another name', `<<<PAWL:QUESTION 12ab>>>\na\n${end}`, wrong('no line opens')],
  ['its name within a line', `write ${open} then\n${end}`, wrong('no line opens')],
  ['an echoed prompt', `<<<PAWL:PLAN_DRAFT 99ff>>>\na\n${end}`, wrong('does not carry')],
  ['no word', `<<<PAWL:PLAN_DRAFT>>>\na\n${end}`, wrong('does not carry')],
  ['no end', `${open}\na`, wrong('does not end')],
  ['words behind it', `${open}\na\n${end}\nShall I?`, wrong('does not end')],
  ['another end', `${open}\na\n<<<PAWL:END 99ff>>>`, wrong('the line that ends')],
])('%s', (_, answer, reading) => {
  expect(parseBlock(answer, 'PLAN_DRAFT', '12ab')).toEqual(reading);
});
