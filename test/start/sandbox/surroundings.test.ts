// What is read-only inside: what is there, is no link, and no task names as its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { Place } from '../../../src/place/place.ts';
import { createSurroundings, findProtected } from '../../../src/start/sandbox/surroundings.ts';
import { type Opened, openTemp } from '../../git/open.ts';
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

function placeIn({ repo }: Opened, folder: string, leave?: { files: string[]; text: string }): Place {
  const task = { id: '1', title: 'T', closed: false, steps: 1, checks: [], manual: [], leave };
  const state = foldFacts([fact('run-started'), fact('plan-read', { tasks: [task] })]);
  const run = { id: 'r', folder, config: configSchema.parse({}), random: () => 'ab' };
  const plan = { file: path.join(repo.root, 'plan.md'), name: 'plan.md' };
  return { repo, plan, run: { ...run, state: () => state } } as unknown as Place;
}

test('what git of this machine obeys of a submodule is read-only', async () => {
  await using made = await openTemp({
    files: { 'plan.md': '# P\n', '.gitmodules': '[submodule "x"]\n\tpath = lib/x\n\turl = y\n' },
  });
  using folder = makeTempFolder();
  const { repo } = made;
  await made.temp.write('lib/x/.git', 'gitdir: ../../.git/modules/x\n');
  const { mounts } = await createSurroundings(placeIn(made, folder.path), [])(repo.root);
  expect(mounts.find(({ to }) => to === path.join(repo.root, 'lib/x/.git'))?.readonly).toBe(true);
});

test.each([
  ['a person wrote', { files: ['.envrc'], text: '' }, undefined],
  ['a planner wrote', undefined, true],
])('a task that %s opens what it names: %j', async (_, leave, readonly) => {
  await using made = await openTemp({
    files: { '.envrc': '', 'plan.md': '# P\n\n### Task 1: T\n- files: .envrc\n- [ ] do\n' },
  });
  using folder = makeTempFolder();
  const { repo } = made;
  const { mounts } = await createSurroundings(placeIn(made, folder.path, leave), [])(repo.root);
  expect(mounts.find(({ to }) => to === path.join(repo.root, '.envrc'))?.readonly).toBe(readonly);
  expect(mounts.find(({ to }) => to === path.join(repo.root, 'plan.md'))?.readonly).toBe(true);
});
