import { expect, test } from 'vitest';
import { parseLog } from '../../../src/git/run/ancestry.ts';
import { parseChanges } from '../../../src/git/tree/raw-diff.ts';
import { parseStatus } from '../../../src/git/tree/status.ts';

const zeros = '0'.repeat(40);
const bytes = (...fields: string[]): Uint8Array => Buffer.from(fields.map((field) => `${field}\0`).join(''));

test.each([
  [
    'a changed file',
    `1 .M N... 100644 100644 100644 ${zeros} ${zeros} a b\nc`,
    ['tracked', '.', 'M', 'a b\nc', false],
  ],
  [
    'a new staged one',
    `1 A. N... 000000 100644 100644 ${zeros} ${zeros} a`,
    ['tracked', 'A', '.', 'a', false],
  ],
  ['a submodule', `1 .M SC.. 160000 160000 160000 ${zeros} ${zeros} sub`, ['tracked', '.', 'M', 'sub', true]],
  [
    'a conflict',
    `u UU N... 100644 100644 100644 100644 ${zeros} ${zeros} ${zeros} a b`,
    ['unmerged', 'U', 'U', 'a b', false],
  ],
  ['an untracked one', '? a b', ['untracked', '.', '.', 'a b', false]],
  ['an ignored folder', '! deps/', ['ignored', '.', '.', 'deps/', false]],
])('status of %s', (_, record, expected) => {
  const found = parseStatus(bytes('# branch.oid x', record));
  expect(found.map(({ kind, staged, work, file, gitlink }) => [kind, staged, work, file, gitlink])).toEqual([
    expected,
  ]);
});

test('changes: every letter, binary files, names with tabs and newlines', () => {
  const raw = (letter: string) => `:100644 100644 ${zeros} ${zeros} ${letter}`;
  const output = bytes(
    raw('A'),
    'new\tx',
    raw('D'),
    'gone',
    raw('T'),
    'link',
    raw('R087'),
    'old\nname',
    'new name',
    raw('M'),
    'bin',
    '3\t0\tnew\tx',
    '0\t4\tgone',
    '1\t1\tlink',
    '5\t6\t',
    'old\nname',
    'new name',
    '-\t-\tbin',
  );
  expect(parseChanges(output)).toEqual([
    { file: 'new\tx', status: 'added', insertions: 3, deletions: 0 },
    { file: 'gone', status: 'deleted', insertions: 0, deletions: 4 },
    { file: 'link', status: 'type-changed', insertions: 1, deletions: 1 },
    { file: 'new name', status: 'renamed', from: 'old\nname', insertions: 5, deletions: 6 },
    { file: 'bin', status: 'modified', insertions: 0, deletions: 0 },
  ]);
});

test('a log: a root, a merge, a message of several lines', () => {
  const output = 'o1\nt1\n\n2026-01-01T00:00:00Z\nroot\n\0o2\nt2\np1 p2\n2026-01-02T00:00:00Z\na\n\nb\n\0';
  expect(parseLog(output)).toEqual([
    { oid: 'o1', tree: 't1', parent: undefined, at: '2026-01-01T00:00:00Z', message: 'root\n' },
    { oid: 'o2', tree: 't2', parent: 'p1', at: '2026-01-02T00:00:00Z', message: 'a\n\nb\n' },
  ]);
  expect(parseLog('')).toEqual([]);
});
