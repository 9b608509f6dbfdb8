// What a session is told of the conflicts in its lane, and what nobody can vouch for once it was told once.
import { expect, test } from 'vitest';
import { judgeConflicts } from '../../../src/phase/lanes/catch-up.ts';

const none: Parameters<typeof judgeConflicts>[0] = { fresh: [], marks: [], standIns: [], untouched: [] };
const work = '0123456789abcdef';
const logo = { files: ['logo.png'], work };
const sides = 'logo.png: `git diff HEAD 0123456789ab -- logo.png` shows the branch’s side and your work’s';

const both = 'changed on both sides';
const left =
  'the conflict over logo.png was left as the merge had it (`git ls-tree 0123456789ab -- logo.png` lists what the work had)';
const quoted = `it's: \`git diff HEAD 0123456789ab -- 'it'\\''s'\` shows the branch’s side and your work’s`;
const named = { files: ['thing', 'thing~pawl_landed'], work };

test.each<[string, Partial<typeof none>, readonly unknown[], readonly string[]]>([
  ['nothing is left', {}, [], []],
  ['nobody was told', { fresh: ['logo.png'], untouched: [logo] }, [`logo.png: ${both}`, sides], []],
  ['told, and left', { untouched: [logo] }, [], [left]],
  [
    'a name for a shell',
    { fresh: ['x'], untouched: [{ files: ["it's"], work }] },
    [`x: ${both}`, quoted],
    [],
  ],
  [
    'marks stay red however often they are told',
    { marks: ['a'], untouched: [{ ...logo, files: ['a'] }] },
    ['a: still holds marks of a conflict'],
    [],
  ],
  [
    'so do names that the merge gave',
    { standIns: ['thing~pawl_landed'], untouched: [named] },
    [expect.stringContaining('thing~pawl_landed: the merge gave it this name')],
    [],
  ],
])('%s', (_, found, unmerged, unproved) => {
  expect(judgeConflicts({ ...none, ...found })).toEqual({ unmerged, unproved });
});
