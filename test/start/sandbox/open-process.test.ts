// What a pawl that was killed left of its wire goes at the next start in the same tree, and nobody else's does.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nameWireFolder, removeWireFolders, wireParent } from '../../../src/start/sandbox/open-process.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

const uid = process.getuid?.();

test('folders of the same working tree go, with what is in them', () => {
  using temp = makeTempFolder();
  const parent = temp.path;
  const of = (gitDir: string, random: string) => nameWireFolder(gitDir, { parent, random });
  for (const folder of [of('/a/.git', '1'), of('/a/.git', '2'), of('/b/.git', '1')]) {
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'wire'), '');
  }
  const kept = path.join(parent, 'kept');
  mkdirSync(kept);
  symlinkSync(kept, of('/a/.git', '3'));
  writeFileSync(of('/a/.git', '4'), '');
  removeWireFolders('/a/.git', { parent, uid });
  const names = [of('/b/.git', '1'), of('/a/.git', '3'), of('/a/.git', '4'), kept].map((file) =>
    path.basename(file),
  );
  expect(readdirSync(parent).toSorted()).toEqual(names.toSorted());
  removeWireFolders('/b/.git', { parent, uid: -1 });
  expect(readdirSync(parent)).toHaveLength(4);
});

test('a long folder for sockets is not taken', () => {
  const parentOf = (runtime: string | undefined) =>
    wireParent({ folders: { runtime } as Parameters<typeof wireParent>[0]['folders'] });
  expect(parentOf('/run/user/1000')).toBe('/run/user/1000');
  expect(parentOf(`/${'x'.repeat(60)}`)).not.toContain('xx');
  const longest = nameWireFolder('/a/.git', { parent: `/${'x'.repeat(59)}`, random: '12345678' });
  expect(path.join(longest, 'wire').length).toBeLessThanOrEqual(107);
});
