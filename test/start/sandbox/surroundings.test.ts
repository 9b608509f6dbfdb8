// What is read-only inside: what is there, is no link, and no task names as its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { Place } from '../../../src/place/place.ts';
import { createSurroundings, findProtected } from '../../../src/start/sandbox/surroundings.ts';
import { openTemp } from '../../git/open.ts';
import { fact, foldFacts } from '../../helpers/facts.ts';
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
  return findProtected({ root: temp.path, entries, globs: files }).toSorted();
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

test.each([
  ['a person wrote', { files: ['.envrc'], text: '' }, undefined],
  ['a planner wrote', undefined, true],
])('a task that %s opens what it names: %j', async (_, leave, readonly) => {
  await using made = await openTemp({
    files: { '.envrc': '', 'plan.md': '# P\n\n### Task 1: T\n- files: .envrc\n- [ ] do\n' },
  });
  using folder = makeTempFolder();
  const { repo } = made;
  const task = { id: '1', title: 'T', closed: false, steps: 1, checks: [], manual: [], leave };
  const state = foldFacts([fact('run-started'), fact('plan-read', { tasks: [task] })]);
  const run = { id: 'r', folder: folder.path, config: configSchema.parse({}), random: () => 'ab' };
  const plan = { file: path.join(repo.root, 'plan.md'), name: 'plan.md' };
  const place = { repo, plan, run: { ...run, state: () => state } } as unknown as Place;
  const { mounts } = await createSurroundings(place, [])(repo.root);
  expect(mounts.find(({ to }) => to === path.join(repo.root, '.envrc'))?.readonly).toBe(readonly);
  expect(mounts.find(({ to }) => to === plan.file)?.readonly).toBe(true);
});
