// What keeps a repository from having lanes: told once, and no lane is made.
import path from 'node:path';
import { expect, test } from 'vitest';
import { mayOpen } from '../../../src/phase/lanes/may-open.ts';
import { openTemp } from '../../git/open.ts';

test.each([
  [
    'a submodule',
    ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './.', 'sub'],
    /a submodule would be empty/,
  ],
  ['a partial clone', ['config', 'remote.origin.promisor', 'true'], /a partial clone/],
  ['a sparse checkout', ['config', 'core.sparseCheckout', 'true'], /a sparse checkout/],
])('%s', async (_, act, why) => {
  await using made = await openTemp({ files: { a: 'a\n' } });
  await made.temp.git('config', 'remote.origin.url', made.temp.path);
  await made.temp.git(...act);
  const told: string[] = [];
  const emit = ({ text }: { text: string }) => told.push(text);
  const run = {
    state: () => ({ notices: [] }),
    lanes: path.join(made.temp.path, 'x'),
    config: { jobs: 2 },
    emit,
  };
  const lanes = { trunk: { repo: made.repo, run }, lacks: [] } as never;
  expect([await mayOpen(lanes), await mayOpen(lanes)]).toEqual([false, false]);
  expect(told).toEqual([expect.stringMatching(why)]);
});
