// Which lines the resolution of a conflict has left out, by side.
import { expect, test } from 'vitest';
import { countLeftOut } from '../../../src/phase/lanes/left-out.ts';

const file = { was: 'a\nz\n', landed: 'a\none\nz\n', own: 'a\ntwo\nz\n', head: 'a\none\nz\n' };

const table: readonly (readonly [string, Partial<Parameters<typeof countLeftOut>[0]>, number, number])[] = [
  ['both are there', { is: 'a\none\ntwo\nz\n' }, 0, 0],
  ['in another order, indented, with other line ends', { is: '  two\r\n  one\r\na\r\n' }, 0, 0],
  ['a comma more, or less', { landed: 'a\none\nz\n', own: 'a\ntwo,\nz\n', is: 'a\none,\ntwo\nz\n' }, 0, 0],
  ['what had landed is gone', { is: 'a\ntwo\nz\n' }, 1, 0],
  ['its own is gone', { is: 'a\none\nz\n' }, 0, 1],
  ['the file is gone', { is: '' }, 1, 1],
  ['one line instead of both', { is: 'a\none+two\nz\n' }, 1, 1],
  ['others have taken it out of the branch since', { head: 'a\nz\n', is: 'a\ntwo\nz\n' }, 0, 0],
  ['what both began with may go', { is: 'one\ntwo\n' }, 0, 0],
  ['no text', { was: 'a\0', landed: 'a\0\n1', own: 'a\0\n2', head: 'a\0\n1', is: 'a\0\n2' }, 1, 0],
];

test.each(table)('%s', (_, change, landed, own) => {
  expect(countLeftOut({ ...file, is: '', ...change })).toEqual({ landed, own });
});
