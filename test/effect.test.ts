// The door of durable effects where a disk refuses: what is told, and that nothing half-made is left.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, writeFileAtomic, writeFileUnsynced } from '../src/effect.ts';
import { makeTempFolder } from './helpers/temp-folder.ts';

it('makes a folder with its parents, and one that is there is fine', () => {
  using temp = makeTempFolder();
  const folder = path.join(temp.path, 'a/b/c');
  makeFolder(folder);
  makeFolder(folder);
  expect(existsSync(folder)).toBe(true);
  writeFileSync(path.join(temp.path, 'file'), '');
  expect(() => makeFolder(path.join(temp.path, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(path.join(temp.path, 'file/below'))).toThrow('ENOTDIR');
});

it.runIf(process.platform === 'linux')('a folder where none can be made is an error at once', () => {
  expect(() => makeFolder('/proc/nowhere/at/all')).toThrow('ENOENT');
});

it.each([
  ['synced', writeFileAtomic],
  ['unsynced', writeFileUnsynced],
])('a write that cannot take its place leaves nothing behind: %s', (_, write) => {
  using temp = makeTempFolder();
  const file = path.join(temp.path, 'plan.md');
  mkdirSync(file);
  expect(() => write(file, 'text')).toThrow();
  expect(readdirSync(temp.path)).toEqual(['plan.md']);
  write(path.join(temp.path, 'other.md'), 'text');
  expect(readFileSync(path.join(temp.path, 'other.md'), 'utf8')).toBe('text');
});
