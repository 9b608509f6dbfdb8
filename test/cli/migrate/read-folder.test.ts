import { expect, test } from 'vitest';
import { digestText } from '../../../src/cli/migrate/read-folder.ts';

test('line ends and the comments before a text do not make another text of it', () => {
  expect(digestText('# a\n#b\n\nLook.\nWell.\n')).toBe(digestText('Look.\r\nWell.'));
  expect(digestText('Look.')).not.toBe(digestText('Look!'));
});
