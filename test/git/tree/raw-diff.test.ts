import { expect, test } from 'vitest';
import { parseChanges } from '../../../src/git/tree/raw-diff.ts';
import { isSameInTree, parseEntries } from '../../../src/git/tree/tree-entry.ts';

const [one, two] = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string];
const file = { mode: '100644', oid: one };
const other = { mode: '100755', oid: two };
const zeros = '0'.repeat(40);
const bytes = (...fields: readonly string[]) => Buffer.from(`${fields.join('\0')}\0`, 'latin1');

test.each([
  ['A', `:000000 100644 ${zeros} ${one} A`, ['new\tx'], '3\t0\tnew\tx', 'added', [undefined, file], [3, 0]],
  ['D', `:100644 000000 ${one} ${zeros} D`, ['gone'], '0\t4\tgone', 'deleted', [file, undefined], [0, 4]],
  ['M', `:100644 100755 ${one} ${two} M`, ['a\nb'], '1\t1\ta\nb', 'modified', [file, other], [1, 1]],
  [
    'T',
    `:100644 120000 ${one} ${two} T`,
    ['ü'],
    '1\t1\tü',
    'type-changed',
    [file, { mode: '120000', oid: two }],
    [1, 1],
  ],
  [
    'R',
    `:100644 100755 ${one} ${two} R087`,
    ['old\nname', 'new'],
    '5\t6\t\0old\nname\0new',
    'renamed',
    [file, other],
    [5, 6],
  ],
  [
    'of a binary file',
    `:100644 100755 ${one} ${two} M`,
    ['bin'],
    '-\t-\tbin',
    'modified',
    [file, other],
    [0, 0],
  ],
] as const)(
  'a change %s, beside another, with lines and without',
  (_, raw, names, lines, status, [was, is], counts) => {
    const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
    const [from, to] = names.length === 2 ? names : [undefined, names[0]];
    const change = { raw: latin1(to), file: to, status, ...(from === undefined ? {} : { from }), was, is };
    const beside = ['x', `:100644 100644 ${one} ${one} M`];
    const listed = [...[beside[1], beside[0]], raw, ...names.map(latin1)] as string[];
    const counted = { insertions: counts[0], deletions: counts[1] };
    expect(parseChanges(bytes(...listed, '7\t8\tx', latin1(lines)))).toEqual([
      { raw: 'x', file: 'x', status: 'modified', was: file, is: file, insertions: 7, deletions: 8 },
      { ...change, ...counted },
    ]);
    expect(parseChanges(bytes(...listed))[1]).toEqual({ ...change, insertions: 0, deletions: 0 });
  },
);

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
  expect(parseEntries(bytes())).toEqual([]);
  expect([isSameInTree(file, { ...file }), isSameInTree(file, other), isSameInTree(file, undefined)]).toEqual(
    [true, false, false],
  );
});
