// A program in a folder of a checkout or a lane has the surroundings of the whole of it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workFolderOf } from '../../src/sandbox/bubblewrap.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test.each([
  ['repo', 'repo'],
  ['repo/sub', 'repo'],
  ['lane/sub', 'lane'],
  ['repository', 'repository'],
  ['checkout', 'checkout'],
  ['checkout/a/b', 'checkout'],
  ['plain/a', 'plain/a'],
])('%s works in %s', (cwd, wanted) => {
  using temp = makeTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  for (const folder of ['checkout/.git', 'repo/sub/.git', 'lane/sub/.git', 'checkout/a/b', 'plain/a'])
    mkdirSync(at(folder), { recursive: true });
  expect(workFolderOf([at('repo'), at('lane')], at(cwd))).toBe(at(wanted));
});
