import { expect, test } from 'vitest';
import { parseBlock } from '../../src/agent/marker.ts';

const open = '<<<PAWL:PLAN_DRAFT 12ab>>>';
const end = '<<<PAWL:END 12ab>>>';

test.each([
  ['a block', `Here it is.\n${open}\na\n\nb\n${end}\n`, { text: 'a\n\nb' }],
  ['an end without the word', `${open}\na\n<<<PAWL:END>>>`, { text: 'a' }],
  ['the last of two', `${open}\na\n${end}\n${open}\nb\n${end}`, { text: 'b' }],
  ['line ends of another system', `${open}\r\na\r\n${end}\r\n`, { text: 'a' }],
  ['nothing in it', `${open}\n${end}`, { text: '' }],
  ['no block', 'a\nb', undefined],
  ['another name', `<<<PAWL:QUESTION 12ab>>>\na\n${end}`, undefined],
  ['its name within a line', `write ${open} then\n${end}`, undefined],
  [
    'an echoed prompt',
    `<<<PAWL:PLAN_DRAFT 99ff>>>\na\n${end}`,
    { problem: expect.stringContaining('does not carry') },
  ],
  ['no word', `<<<PAWL:PLAN_DRAFT>>>\na\n${end}`, { problem: expect.stringContaining('does not carry') }],
  ['no end', `${open}\na`, { problem: expect.stringContaining('does not end') }],
  ['words behind it', `${open}\na\n${end}\nShall I?`, { problem: expect.stringContaining('does not end') }],
  [
    'another end',
    `${open}\na\n<<<PAWL:END 99ff>>>`,
    { problem: expect.stringContaining('the line that ends') },
  ],
])('%s', (_, answer, reading) => {
  expect(parseBlock(answer, 'PLAN_DRAFT', '12ab')).toEqual(reading);
});
