import { expect, it } from 'vitest';
import { readLog } from '../../../src/git/run/log.ts';
import { openTemp } from '../open.ts';

it.each(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM'])('reads history where the user chose %s', async (name) => {
  await using made = await openTemp();
  const repo = await made.reopen({ [name]: '/dev/null', GIT_CONFIG_NOSYSTEM: '' });
  expect(await readLog(repo, ['HEAD', '--'])).toMatchObject([{ oid: await made.oid(), message: 'start\n' }]);
});
