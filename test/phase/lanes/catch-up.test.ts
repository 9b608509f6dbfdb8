// What a session is told of the conflicts in its lane, and what nobody can vouch for once it was told once.
import { expect, test } from 'vitest';
import { findConflicts, judgeConflicts } from '../../../src/phase/lanes/catch-up.ts';
import type { Place } from '../../../src/place/place.ts';
import { openTemp } from '../../git/open.ts';

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

test('a line that parts two sides is a mark in a file in conflict, unless a side had one', async () => {
  await using opened = await openTemp({ files: { heading: 'Title\n=======\n' } });
  const { repo, temp, oid } = opened;
  const tree = await oid('HEAD^{tree}');
  for (const file of ['heading', 'word', 'other']) await temp.write(file, 'one\n=======\ntwo\n');
  await temp.git('add', '.');
  const merge = { merged: tree, onto: 'HEAD', tree, clashes: [] };
  const lane = { conflicts: ['heading', 'word'], merges: [merge] };
  const run = { state: () => ({ tasks: new Map([['1', { lane }]]) }) };
  const place = { repo, run } as unknown as Place;
  const task = { id: '1' } as Parameters<typeof findConflicts>[1]['task'];
  const found = await findConflicts(place, { task }, { tree: await temp.git('write-tree') });
  expect(found.unmerged).toEqual(['word: still holds marks of a conflict']);
});
