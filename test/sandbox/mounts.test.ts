import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readMounts } from '../../src/sandbox/mounts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

test('mounts are read as they are written, and what must not be seen is refused', () => {
  using folder = makeTempFolder();
  const at = (name: string) => path.join(folder.path, name);
  for (const name of ['home/cache', 'repo/sub']) mkdirSync(at(name), { recursive: true });
  symlinkSync(at('home/cache'), at('repo/link'));
  symlinkSync(at('home/cache'), at('link'));
  writeFileSync(at('docker.sock'), '');
  const ground = { home: at('home'), root: at('repo') };
  const rows: readonly (readonly [string, object | RegExp])[] = [
    [at('home/cache'), { from: at('home/cache'), to: at('home/cache'), readonly: true }],
    ['~/cache:/cache', { from: at('home/cache'), to: '/cache', readonly: true }],
    ['~/cache:rw', { from: at('home/cache'), to: at('home/cache'), readonly: false }],
    ['~/cache:/cache:rw', { from: at('home/cache'), to: '/cache', readonly: false }],
    [`${at('link')}:/cache`, { from: at('home/cache'), to: '/cache', readonly: true }],
    [folder.path, { from: folder.path, to: folder.path, readonly: true }],
    ['cache', /absolute paths/],
    ['~/cache:cache', /absolute paths/],
    ['~/cache:/a:/b', /absolute paths/],
    ['~/missing', /is not there/],
    [at('docker.sock'), /engine’s socket/],
    [at('repo/sub'), /is in the repository/],
    [`${at('repo/link')}:/cache`, /is in the repository/],
    [`${folder.path}:rw`, /contains the repository/],
  ];
  for (const [entry, wanted] of rows) {
    if (wanted instanceof RegExp) expect(() => readMounts([entry], ground), entry).toThrow(wanted);
    else expect(readMounts([entry], ground), entry).toEqual([wanted]);
  }
});
