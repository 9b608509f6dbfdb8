// A repository that nobody trusts yet names programs in its git config: none of them runs while pawl looks.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withoutOwnPrograms } from '../../../src/git/run/own-programs.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

test('what a partial clone lacks is not fetched by a program of its own', async () => {
  using folder = makeTempFolder();
  const at = (name: string) => path.join(folder.path, name);
  const plain = {
    PATH: process.env['PATH'] ?? '',
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: folder.path },
    ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
  };
  const git = (args: readonly string[], env: object = {}) =>
    execFileSync('git', args, { encoding: 'utf8', env: { ...plain, ...env }, stdio: 'pipe' });
  git(['init', '-q', at('origin')]);
  git(['-C', at('origin'), 'config', 'uploadpack.allowFilter', 'true']);
  execFileSync('sh', ['-c', `echo text > ${at('origin/file')}`]);
  git(['-C', at('origin'), 'add', 'file']);
  git(['-C', at('origin'), 'commit', '-qm', 'one']);
  git(['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${at('origin')}`, at('clone')]);
  git(['-C', at('clone'), 'config', 'remote.origin.uploadpack', `touch ${at('ran')}; git-upload-pack`]);
  git(['-C', at('clone'), 'config', 'protocol.file.allow', 'always']);
  const look = (env: object) => git(['-C', at('clone'), 'cat-file', '-p', 'HEAD:file'], env);

  const ask = async (args: readonly string[]) => git(['-C', at('clone'), ...args]);
  const env = await withoutOwnPrograms(ask, {});
  expect(() => look(env)).toThrow(/transport 'file' not allowed/);
  expect(existsSync(at('ran'))).toBe(false);
  expect(look({})).toBe('text\n');
  expect(existsSync(at('ran'))).toBe(true);
});
