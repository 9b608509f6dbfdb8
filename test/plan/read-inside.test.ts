import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInside, readOutside } from '../../src/plan/read-inside.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

describe('reading inside a working tree', () => {
  test('no link leads out of it', () => {
    using outside = makeTempFolder();
    using tree = makeTempFolder();
    writeFileSync(path.join(outside.path, 'secret'), 'secret');
    mkdirSync(path.join(tree.path, 'docs'));
    writeFileSync(path.join(tree.path, 'docs/own'), 'own');
    symlinkSync(path.join(outside.path, 'secret'), path.join(tree.path, 'link'));
    symlinkSync(outside.path, path.join(tree.path, 'folder'));
    execFileSync('mkfifo', [path.join(tree.path, 'pipe')]);
    writeFileSync(path.join(tree.path, 'holes'), '');
    truncateSync(path.join(tree.path, 'holes'), 17 * 1024 * 1024);
    symlinkSync('docs', path.join(tree.path, 'within'));
    const rows: readonly (readonly [string, string | undefined])[] = [
      ['docs/own', 'own'],
      [path.join(tree.path, 'docs/own'), 'own'],
      ['link', undefined],
      ['folder/secret', undefined],
      ['within/own', 'own'],
      [`../${path.basename(outside.path)}/secret`, undefined],
      [path.join(outside.path, 'secret'), undefined],
      ['docs', undefined],
      ['missing', undefined],
      ['pipe', undefined],
      ['holes', undefined],
    ];
    expect(rows.map(([file]) => [file, readInside(tree.path, file)])).toEqual(rows);
  });
});

test('a file above the tree or in the home folder is read by its name, and through no link', () => {
  using outside = makeTempFolder();
  const root = path.join(outside.path, 'a', 'tree');
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(outside.path, '.npmrc'), 'x=1');
  symlinkSync('/etc/hostname', path.join(outside.path, 'a', '.npmrc'));
  const home = path.join(outside.path, 'home');
  mkdirSync(home);
  writeFileSync(path.join(home, '.npmrc'), 'y=1');
  symlinkSync('/etc/hostname', path.join(home, '.yarnrc'));
  expect(readOutside(root, '~/.npmrc', home)).toBe('y=1');
  expect(readOutside(root, '~/.yarnrc', home)).toBeUndefined();
  expect(readOutside(root, '~/.npmrc', undefined)).toBeUndefined();
  expect(readOutside(root, '~/.npmrc', path.join(home, 'none'))).toBeUndefined();
  expect(readOutside(root, '../../.npmrc', home)).toBe('x=1');
  expect(readOutside(root, '../.npmrc', home)).toBeUndefined();
  expect(readOutside(root, `${'../'.repeat(99)}etc/hostname`, home)).toBeUndefined();
});
