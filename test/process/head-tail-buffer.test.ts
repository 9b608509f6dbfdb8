import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeadTailBuffer, OutputLog } from '../../src/process/head-tail-buffer.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

function keep(chunks: readonly Uint8Array[], headBytes: number, tailBytes: number) {
  const keeper = new HeadTailBuffer(headBytes, tailBytes);
  for (const chunk of chunks) keeper.add(chunk);
  return keeper.kept();
}

const bytes = (text: string) => Buffer.from(text);

test.each([
  ['nothing', '', 4, 4, '', 0],
  ['all of what fits', 'abcd', 2, 2, 'abcd', 0],
  ['head and tail', 'abcdefgh', 2, 3, 'ab\n… 3 bytes left out …\nfgh', 3],
  ['no tail', 'abcdefgh', 2, 0, 'ab\n… 6 bytes left out …\n', 6],
  ['characters are dropped whole at the cuts', 'a€bcdef€g', 2, 3, 'a\n… 8 bytes left out …\ng', 8],
])('keeps %s', (_, text, head, tail, expected, omitted) => {
  const kept = keep([bytes(text)], head, tail);
  expect(kept.text).toBe(expected);
  expect(kept.omittedBytes).toBe(omitted);
});

test('however it is cut into chunks', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.nat(500), fc.nat(500), (parts, head, tail) => {
      const all = Buffer.concat(parts);
      const kept = keep(parts, head, tail);
      const omitted = Math.max(0, all.length - head - tail);
      expect(kept.omittedBytes).toBe(omitted);
      const expected =
        omitted === 0 ? all : Buffer.concat([all.subarray(0, head), all.subarray(all.length - tail)]);
      expect(Buffer.compare(Buffer.from(kept.bytes), expected)).toBe(0);
    }),
  );
});

test('a tail that is cut many times over', () => {
  const chunk = bytes('0123456789'.repeat(7_000));
  const kept = keep(
    Array.from({ length: 50 }, () => chunk),
    5,
    7,
  );
  expect(kept.text).toBe(`01234\n… ${50 * 70_000 - 12} bytes left out …\n3456789`);
});

const mb = 1024 * 1024;

test.each([
  ['no more than fits', ['abc', 'd'], 'abcd'],
  ['more than fits, in whole', ['abcdef', 'gh'], 'abcdefgh'],
  ['an end inside a character', ['abcü', 'd'], 'abcüd'],
  [
    'more than the tail holds',
    ['abcdef', 'x'.repeat(mb), 'the end'],
    `abcd\n… 9 bytes left out …\n${'x'.repeat(mb - 7)}the end`,
  ],
])('a file keeps %s', (_, chunks, content) => {
  using folder = makeTempFolder();
  const [file, keeper] = [path.join(folder.path, 'log'), new HeadTailBuffer(mb * 2, 0)];
  using log = new OutputLog(file, keeper, 4);
  for (const chunk of chunks) log.add('stdout', Buffer.from(chunk));
  log.finish();
  expect(readFileSync(file, 'utf8')).toBe(content);
  // Memory has bounds of its own.
  expect(keeper.kept().text).toBe(chunks.join(''));
});
