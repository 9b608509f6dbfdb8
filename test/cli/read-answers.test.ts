// The file of `--answers`: read from where pawl was started, and every way it cannot be.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readAnswersFile } from '../../src/cli/plan.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('a file is read from the folder it is named in', () => {
  using folder = makeTempFolder();
  writeFileSync(path.join(folder.path, 'a.yaml'), 'cache: Redis\n');
  expect(readAnswersFile('a.yaml', folder.path)).toMatchObject([{ pattern: 'cache', text: 'Redis' }]);
});

test.each([
  ['one thing wrong', 'cache:\n', /^a\.yaml:1:1 “cache” has no answer/],
  ['two', 'cache:\nport:\n', /^2 problems in the answers\n {2}a\.yaml:1:1 .*\n {2}a\.yaml:2:1 /],
  ['no such file', undefined, /^a\.yaml cannot be read: it does not exist$/],
])('a usage failure with file and line: %s', (_, text, sentence) => {
  using folder = makeTempFolder();
  if (text !== undefined) writeFileSync(path.join(folder.path, 'a.yaml'), text);
  const read = () => readAnswersFile('a.yaml', folder.path);
  expect(read).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringMatching(sentence),
      hint: expect.stringContaining('default: recommended'),
    }),
  );
});
