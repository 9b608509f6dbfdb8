import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { WorkPlace } from '../../../src/work/landing.ts';
import { lookNow, writeWorkTree } from '../../../src/work/tree/work-tree.ts';
import type { Work } from '../../../src/work/work.ts';
import { openTemp } from '../../git/open.ts';
import { fact, stateOf } from '../../helpers/facts.ts';

test('a look is used again only until something is journaled, or HEAD is another', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n' } });
  let state = {};
  const place = { ...made, run: { state: () => state } } as unknown as Parameters<typeof lookNow>[0];
  const first = await lookNow(place);
  expect(await lookNow(place)).toBe(first);
  await made.temp.git('commit', '-q', '--allow-empty', '-m', 'a person’s');
  const second = await lookNow(place);
  expect(second.head.commit).toBe(await made.oid());
  await made.temp.write('a.ts', 'b\n');
  expect(await lookNow(place)).toBe(second);
  state = {};
  expect((await lookNow(place)).entries).toMatchObject([{ file: 'a.ts', work: 'M' }]);
});

test('what checks write on top of a tree is told with it, not only what was known of the tree before', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n', 'b.ts': 'b\n' } });
  const state = stateOf(fact('task-started', { task: '1' }));
  const run = { config: configSchema.parse({}), state: () => state, emit: () => {} };
  const [place, work] = [
    { ...made, run },
    { task: { id: '1' }, start: { tree: 'HEAD' } },
  ] as unknown as [WorkPlace, Work];
  await made.temp.write('a.ts', 'session\n');
  const last = await writeWorkTree(place, work, 'session');
  await made.temp.write('b.ts', 'check\n');
  const { files } = await writeWorkTree(place, work, 'check', { last });
  expect(files.map(({ file }) => file)).toEqual(['a.ts', 'b.ts']);
});
