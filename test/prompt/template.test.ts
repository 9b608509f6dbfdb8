// What a template becomes: its places filled, its notes left out, and what stands in a value untouched.
import { expect, test } from 'vitest';
import { codeBlock, codeSpan } from '../../src/prompt/library.ts';
import { fillTemplate } from '../../src/prompt/template.ts';

const fill = (text: string, values: Readonly<Record<string, string>>) =>
  fillTemplate({ name: 'x', file: 'x.md', text }, values);

test.each([
  ['a place', 'To {{ NAME }}, {{NAME}}!', { NAME: 'me' }, 'To me, me!\n'],
  ['none', '\nHello.\n\n', {}, 'Hello.\n'],
  ['a place that stays empty', 'A\n\n{{NOTES}}\n\nB', { NOTES: '' }, 'A\n\nB\n'],
  ['the line ends around a value', 'A\n\n{{NOTES}}\n\nB', { NOTES: '\nN\n' }, 'A\n\nN\n\nB\n'],
  ['blank lines within a value', '{{TASK}}', { TASK: 'a\n\n\n\nb' }, 'a\n\n\n\nb\n'],
  ['a value that looks like a place', '{{TASK}}', { TASK: '{{NAME}} $& $1' }, '{{NAME}} $& $1\n'],
  ['a note', 'A\n<!-- for\n{{who}} edits -->\nB', {}, 'A\n\nB\n'],
])('%s', (_, text, values, wanted) => {
  expect(fill(text, values)).toBe(wanted);
});

test.each(['NAMES', 'agent:quality', 'constructor', 'toString'])('%s is no name it knows', (name) => {
  expect(() => fill(`<!-- a\nb -->\n\nTo {{${name}}}`, { NAME: 'me', GOAL: '' })).toThrow(
    expect.objectContaining({
      code: 'config',
      message: `x.md:4: {{${name}}} is not a placeholder of this template`,
      hint: 'Its placeholders are GOAL, NAME.',
    }),
  );
});

test.each([
  ['npm test', '`npm test`'],
  ['echo `date`', '`` echo `date` ``'],
  ['echo "``"', '``` echo "``" ```'],
])('%s as a span', (text, wanted) => {
  expect(codeSpan(text)).toBe(wanted);
});

test('a block is in a fence longer than any inside', () => {
  expect(codeBlock('a\n', 'sh')).toBe('```sh\na\n```');
  expect(codeBlock('```\na\n```', 'sh')).toBe('````sh\n```\na\n```\n````');
});
