// What a session is told of the conflicts in its lane, and what nobody can vouch for once it was told twice.
import { expect, test } from 'vitest';
import { judgeConflicts } from '../../../src/phase/lanes/judge-conflicts.ts';

const none = { told: 1, files: [], marks: [], standIns: [], untouched: [] };
const work = '0123456789abcdef';
const logo = { files: ['logo.png'], work, landed: ['logo.png'], had: ['logo.png'] };
const sides =
  'logo.png: the branch has `git show HEAD:logo.png`; your work has `git show 0123456789ab:logo.png`';
const again = 'it is still as the merge left it, and if it stays so, the task is closed as unchecked';

const table: readonly (readonly [
  string,
  Parameters<typeof judgeConflicts>[0],
  readonly string[],
  readonly string[],
])[] = [
  ['nothing is left', none, [], []],
  [
    'nobody was told',
    { ...none, told: 0, files: ['logo.png'], untouched: [logo] },
    ['logo.png: changed on both sides', sides],
    [],
  ],
  ['told once, and left', { ...none, untouched: [logo] }, [`${sides}; ${again}`], []],
  [
    'told twice, and left',
    { ...none, told: 2, untouched: [logo] },
    [],
    [
      'the conflict over logo.png was left as the merge had it (as the work had it: `git show 0123456789ab:logo.png`)',
    ],
  ],
  [
    'told twice, and removed on one side',
    { ...none, told: 2, untouched: [{ ...logo, had: [] }] },
    [],
    ['the conflict over logo.png was left as the merge had it (the work itself did not have it)'],
  ],
  [
    'a name for a shell',
    { ...none, untouched: [{ files: ["it's"], work, landed: [], had: ["it's"] }] },
    [`it's: the branch does not have it; your work has \`git show '0123456789ab:it'\\''s'\`; ${again}`],
    [],
  ],
  [
    'marks stay red however often they are told',
    { ...none, told: 5, marks: ['a'], untouched: [{ ...logo, files: ['a'] }] },
    ['a: still holds marks of a conflict'],
    [],
  ],
  [
    'so do names that the merge gave',
    {
      ...none,
      told: 5,
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
