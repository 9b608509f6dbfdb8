import { expect, test } from 'vitest';
import { digestWords } from '../../../src/cli/migrate/read-folder.ts';

test('line ends and the comments before a text do not make another text of it', () => {
  expect(digestWords('# a\n#b\n\nLook.\nWell.\n')).toBe(digestWords('Look.\r\nWell.'));
  expect(digestWords('Look.')).not.toBe(digestWords('Look!'));
});
