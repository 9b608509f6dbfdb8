// How a lane gets to what landed.
import { expect, test } from 'vitest';
import type { FactOf } from '../../../src/event.ts';
import { writeTree } from '../../../src/git/tree/tree.ts';
import { moveLane } from '../../../src/phase/lanes/branch.ts';
import type { Place } from '../../../src/place/place.ts';
import { openTemp, rules } from '../../git/open.ts';

test('what a lane ignores and the branch has by now is saved before it goes', async () => {
  await using made = await openTemp({ files: { '.gitignore': 'out.log\n' } });
  const { temp, repo, index, oid } = made;
  const from = await oid();
  await temp.write('out.log', 'landed\n');
  await temp.git('add', '-f', 'out.log');
  await temp.git('commit', '-qm', 'landed');
  const commit = await oid();
  await temp.git('reset', '-q', '--hard', from);
  await temp.write('out.log', 'lane\n');
  const { tree: known } = await writeTree(repo, index, { rules: rules() });
  const saved: FactOf<'rescue-saved'>[] = [];
  const run = { id: 'r', emit: (fact: FactOf<'rescue-saved'>) => saved.push(fact) };
  const move = { known, tree: `${commit}^{tree}`, commit, reason: 'it moves' };
  await moveLane({ repo, index, run } as unknown as Place, move, from);
  expect([await temp.read('out.log'), await oid()]).toEqual(['landed\n', commit]);
  expect(await temp.git('show', `${saved[0]?.oid}:out.log`)).toBe('lane');
});
