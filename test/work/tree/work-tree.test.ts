import { expect, test } from 'vitest';
import { lookNow } from '../../../src/work/tree/work-tree.ts';
import { openTemp } from '../../git/open.ts';

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
