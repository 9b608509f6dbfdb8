// Everyday git, asked in the environment that pawl's git has, whatever else a person has set there.
import { expect, test } from 'vitest';
import { listRemotes, readRemoteUrl } from '../../src/git/porcelain.ts';
import { openTemp } from './open.ts';

const everyday = {
  EDITOR: 'vi',
  PAGER: 'less',
  GIT_SSH_COMMAND: 'ssh -v',
  GIT_ASKPASS: 'ask',
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.editor',
  GIT_CONFIG_VALUE_0: 'vi',
  GIT_CONFIG_KEY_1: 'url.https://example.invalid/.insteadOf',
  GIT_CONFIG_VALUE_1: 'ex:',
};

test('remotes by name and address', async () => {
  await using made = await openTemp();
  const repo = await made.reopen(everyday);
  expect(await listRemotes(repo)).toEqual([]);
  await made.temp.git('remote', 'add', 'origin', 'ex:a/b.git');
  await made.temp.git('remote', 'add', 'up-stream', 'file:///srv/x y.git');
  expect(await listRemotes(repo)).toEqual(['origin', 'up-stream']);
  expect(await readRemoteUrl(repo, 'origin')).toBe('https://example.invalid/a/b.git');
  await expect(readRemoteUrl(repo, 'nowhere')).rejects.toMatchObject({ code: 'git' });
});
