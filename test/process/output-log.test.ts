import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { HeadTailBuffer, OutputLog } from '../../src/process/head-tail-buffer.ts';

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
  const folder = mkdtempSync(path.join(tmpdir(), 'pawl-log-'));
  try {
    const [file, keeper] = [path.join(folder, 'log'), new HeadTailBuffer(mb * 2, 0)];
    using log = new OutputLog(file, keeper, 4);
    for (const chunk of chunks) log.add('stdout', Buffer.from(chunk));
    log.finish();
    expect(readFileSync(file, 'utf8')).toBe(content);
    // Memory has bounds of its own.
    expect(keeper.kept().text).toBe(chunks.join(''));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
