// Clones by a mirror: what a kill left in the mirror keeps nobody from the next one.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkOut, cloneByMirror } from '../../../src/git/place/mirror.ts';
import { depsOf, openTemp } from '../open.ts';

test('a mirror that cannot be brought up to date is made anew; while the remote is away it is kept', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { spawn, env } = depsOf(made.home);
  const deps = { spawn, env, clockMs: 60_000 };
  const mirror = path.join(made.home, 'mirrors/m.git');
  const clone = async (name: string) => {
    const folder = path.join(made.home, 'jobs', name, 'r');
    await cloneByMirror(deps, { url: made.temp.path, mirror, folder });
    return folder;
  };
  await made.temp.git('branch', 'dead');
  await clone('first');
  // A kill within a fetch that removes a branch; and the name has become a folder.
  writeFileSync(path.join(mirror, 'packed-refs.lock'), '');
  await made.temp.git('branch', '-D', 'dead');
  await made.temp.git('branch', 'dead/x');
  // Half of it was made when another life was killed.
  mkdirSync(`${mirror}.new`);
  const second = await clone('second');
  expect(await made.temp.git(`--git-dir=${second}/.git`, 'branch', '-r', '--list', '*dead*')).toContain(
    'origin/dead/x',
  );
  await checkOut(deps, second, { commit: await made.oid(), branch: 'main' });
  expect(existsSync(path.join(second, 'a.txt'))).toBe(true);
  renameSync(made.temp.path, `${made.temp.path}.away`);
  await expect(clone('third')).rejects.toMatchObject({ code: 'git' });
  renameSync(`${made.temp.path}.away`, made.temp.path);
  expect(await made.temp.git(`--git-dir=${mirror}`, 'rev-parse', 'dead/x')).toBe(await made.oid());
});
