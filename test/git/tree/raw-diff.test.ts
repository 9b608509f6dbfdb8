import { expect, test } from 'vitest';
import { parseEntries } from '../../../src/git/tree/tree-entry.ts';

const [one, two] = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string];
const bytes = (...fields: readonly string[]) => Buffer.from(`${fields.join('\0')}\0`, 'latin1');

test('entries of an index, of a tree, and of one with sizes', () => {
  const listed = bytes(
    `100644 ${one} 2\ta\tb\n`,
    `160000 commit ${two}\tlib`,
    `100644 blob ${one}     17\tc`,
    `040000 tree ${two}       -\td`,
  );
  expect(
    parseEntries(listed).map(({ mode, kind, oid, number, raw }) => [mode, kind, oid, number, raw]),
  ).toEqual([
    ['100644', undefined, one, 2, 'a\tb\n'],
    ['160000', 'commit', two, 0, 'lib'],
    ['100644', 'blob', one, 17, 'c'],
    ['040000', 'tree', two, 0, 'd'],
  ]);
});
