import { expect, test } from 'vitest';
import { sourceOf } from '../../src/plan/text-position.ts';

test.each([
  ['the start', 'ab', 0, 1, 1],
  ['behind LF', 'a\nb', 2, 2, 1],
  ['behind CRLF', 'a\r\nbc', 4, 2, 2],
  ['behind a lone CR', 'a\rb', 2, 2, 1],
  ['the line end itself', 'a\nb', 1, 1, 2],
  ['a byte order mark takes no column', '\uFEFFab\nc', 2, 1, 2],
  ['lines behind a byte order mark', '\uFEFFab\nc', 4, 2, 1],
  ['an emoji takes two columns', '😀b', 2, 1, 3],
  ['the end of the text', 'a\n', 2, 2, 1],
])('%s', (_, text, offset, line, column) => {
  expect(sourceOf(text).placeAt(offset)).toEqual({ line, column, offset });
});
