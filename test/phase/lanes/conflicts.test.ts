// What a session is told of the conflicts in its lane, and what nobody can vouch for once it was told once.
import { expect, test } from 'vitest';
import { judgeConflicts } from '../../../src/phase/lanes/conflicts.ts';

const none = { fresh: [], marks: [], standIns: [], untouched: [] };
const work = '0123456789abcdef';
const logo = { files: ['logo.png'], work };
const sides = 'logo.png: `git diff HEAD 0123456789ab -- logo.png` shows the branch’s side and your work’s';

const table: readonly (readonly [
  string,
  Parameters<typeof judgeConflicts>[0],
  readonly string[],
  readonly string[],
])[] = [
  ['nothing is left', none, [], []],
  [
    'nobody was told',
    { ...none, fresh: ['logo.png'], untouched: [logo] },
    ['logo.png: changed on both sides', sides],
    [],
  ],
  [
    'told, and left',
    { ...none, untouched: [logo] },
    [],
    [
      'the conflict over logo.png was left as the merge had it (`git ls-tree 0123456789ab -- logo.png` lists what the work had)',
    ],
  ],
  [
    'a name for a shell',
    { ...none, fresh: ['x'], untouched: [{ files: ["it's"], work }] },
    [
      'x: changed on both sides',
      `it's: \`git diff HEAD 0123456789ab -- 'it'\\''s'\` shows the branch’s side and your work’s`,
    ],
    [],
  ],
  [
    'marks stay red however often they are told',
    { ...none, marks: ['a'], untouched: [{ ...logo, files: ['a'] }] },
    ['a: still holds marks of a conflict'],
    [],
  ],
  [
    'so do names that the merge gave',
    {
      ...none,
      standIns: ['thing~pawl_landed'],
      untouched: [{ ...logo, files: ['thing', 'thing~pawl_landed'] }],
    },
    [expect.stringContaining('thing~pawl_landed: the merge gave it this name')],
    [],
  ],
];

test.each(table)('%s', (_, found, unmerged, unproved) => {
  expect(judgeConflicts(found)).toEqual({ unmerged, unproved });
});
