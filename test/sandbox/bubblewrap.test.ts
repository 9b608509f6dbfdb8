// What of a system's settings a sandbox covers: whatever not everybody may read, at any depth.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findPrivate, workFolderOf } from '../../src/sandbox/bubblewrap.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('what not everybody may read is found, also deep down, and nothing else', () => {
  using temp = makeTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  for (const [name, mode] of [
    ['open', 0o755],
    ['closed', 0o750],
  ] as const) {
    mkdirSync(at(name));
    chmodSync(at(name), mode);
  }
  for (const [name, mode] of [
    ['passwd', 0o644],
    ['shadow', 0o640],
    ['open/key', 0o600],
    ['open/hosts', 0o644],
  ] as const) {
    writeFileSync(at(name), '');
    chmodSync(at(name), mode);
  }
  symlinkSync('shadow', at('link'));
  expect(
    findPrivate(temp.path).map((each) => ({ ...each, path: path.relative(temp.path, each.path) })),
  ).toEqual(
    expect.arrayContaining([
      { path: 'shadow', isFolder: false },
      { path: 'open/key', isFolder: false },
      { path: 'closed', isFolder: true },
    ]),
  );
  expect(findPrivate(temp.path)).toHaveLength(3);
});

// A program in a folder of a checkout or a lane has the surroundings of the whole of it.
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
