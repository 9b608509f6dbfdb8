import { expect, test } from 'vitest';
import { readFlags } from '../../../src/git/tree/flags.ts';
import { openTemp } from '../open.ts';

test('flags that hide changes are read anew when the index is another, and only then', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n', 'b.ts': 'b\n' } });
  const none = await readFlags(made.repo);
  expect([...none]).toEqual([]);
  await made.temp.write('a.ts', 'b\n');
  expect(await readFlags(made.repo)).toBe(none);
  await made.temp.git('update-index', '--assume-unchanged', 'a.ts');
  await made.temp.git('update-index', '--skip-worktree', 'b.ts');
  expect([...(await readFlags(made.repo))]).toEqual([
    ['a.ts', 'h'],
    ['b.ts', 'S'],
  ]);
  await made.temp.git('update-index', '--no-assume-unchanged', 'a.ts');
  await made.temp.git('update-index', '--no-skip-worktree', 'b.ts');
  expect([...(await readFlags(made.repo))]).toEqual([]);
});
