// Which working trees are too wide for an agent: the home, what holds it, the whole machine.
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { refuseWideTree } from '../../src/start/locate.ts';

const folders = findFolders({}, '/nowhere/anna');

test.each([
  ['a repository', '/srv/shop', {}, undefined],
  ['one in the home', '/nowhere/anna/shop', {}, undefined],
  ['one whose name begins like the home', '/nowhere/ann', {}, undefined],
  ['the home', '/nowhere/anna', {}, 'your home directory'],
  ['what holds the home', '/nowhere', {}, 'home directories'],
  ['the root', '/', {}, 'the whole machine'],
  ['the root of a machine that is a sandbox', '/', { IS_SANDBOX: '1' }, undefined],
  ['not every word means yes', '/', { IS_SANDBOX: '0' }, 'the whole machine'],
] as const)('%s', (_, root, env, what) => {
  const refuse = () => refuseWideTree(root, { env, folders });
  if (what === undefined) expect(refuse).not.toThrow();
  else expect(refuse).toThrow(what);
});
