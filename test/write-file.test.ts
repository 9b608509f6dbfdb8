// A write where the disk refuses: nothing half-made is left.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeFileAtomic, writeFileUnsynced } from '../src/write-file.ts';
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
