// A write where the disk refuses: nothing half-made is left.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFile, writeFileAtomic, writeFileUnsynced } from '../src/write-file.ts';
import { makeTempFolder } from './helpers/temp-folder.ts';

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

it('a new file is whole or not there, and never in the place of another', () => {
  using temp = makeTempFolder();
  const file = path.join(temp.path, 'plan.md');
  // A write that breaks off after the file was opened.
  expect(() => createFile(file, { length: 3 } as Uint8Array)).toThrow();
  expect(readdirSync(temp.path)).toEqual([]);
  expect(createFile(file, 'first')).toBe(true);
  expect(createFile(file, 'second')).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('first');
  symlinkSync(path.join(temp.path, 'gone'), path.join(temp.path, 'link'));
  expect(createFile(path.join(temp.path, 'link'), 'text')).toBe(false);
  expect(readdirSync(temp.path).toSorted()).toEqual(['link', 'plan.md']);
});
