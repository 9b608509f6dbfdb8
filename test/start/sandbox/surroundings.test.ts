// What is read-only inside: what is there, is no link, and no task names as its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findProtected } from '../../../src/start/sandbox/surroundings.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';

function protectedOf(entries: readonly string[], files: readonly string[] = []): readonly string[] {
  using temp = makeTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  for (const folder of ['.vscode', '.husky/_', 'a/.vscode']) mkdirSync(at(folder), { recursive: true });
  for (const file of ['.vscode/x.json', '.husky/pre-commit', '.husky/commit-msg', '.envrc', 'a/.vscode/y'])
    writeFileSync(at(file), '');
  symlinkSync('.vscode', at('.idea'));
  symlinkSync('../.envrc', at('.husky/link'));
  symlinkSync('a', at('b'));
  return findProtected({ root: temp.path, entries, tasks: [{ files }] }).toSorted();
}

test.each<[readonly string[], readonly string[]]>([
  [
    ['.vscode', '.envrc', '.claude'],
    ['.envrc', '.vscode'],
  ],
  [['./.vscode/', '.vscode'], ['.vscode']],
  [['.husky/*'], ['.husky/commit-msg', '.husky/pre-commit']],
  [['a/.vscode'], ['a/.vscode']],
  [['.idea', '.idea/*', 'b/.vscode', 'b/.vscode/*'], []],
  [['.', '*/..', '../x', '/etc', 'none/*'], []],
])('%j: %j', (entries, wanted) => expect(protectedOf(entries)).toEqual(wanted));

test.each<[readonly string[], readonly string[]]>([
  [
    ['src/a.ts', '**/*.ts'],
    ['.husky/commit-msg', '.husky/pre-commit', '.vscode'],
  ],
  [['.husky/pre-commit'], ['.husky/commit-msg', '.vscode']],
  [['.vscode/settings.json'], ['.husky/commit-msg', '.husky/pre-commit']],
  [['./.vscode/', '.husky/*'], []],
])('but for what a task names: %j', (files, wanted) =>
  expect(protectedOf(['.vscode', '.husky/*'], files)).toEqual(wanted),
);
