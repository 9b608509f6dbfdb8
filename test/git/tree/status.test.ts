import { expect, test } from 'vitest';
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
