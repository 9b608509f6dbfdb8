import { expect, test } from 'vitest';
import { asksForRunner, runnerOf } from '../../src/check/host-programs.ts';

test.each([
  ['.husky/post-merge', 'git’s hooks'],
  ['.husky', 'git’s hooks'],
  ['.HUSKY/post-merge', 'git’s hooks'],
  ['lefthook.yml', 'git’s hooks'],
  ['.lefthook-local.toml', 'git’s hooks'],
  ['.envrc', 'a shell'],
  ['sub/.envrc', 'a shell'],
  ['mise.toml', 'a shell'],
  ['.vscode/tasks.json', 'an editor'],
  ['.idea/x.xml', 'an editor'],
  ['a.code-workspace', 'an editor'],
  ['.devcontainer/devcontainer.json', 'a dev container'],
  ['sub/.claude/settings.json', 'an agent'],
  ['src/husky.ts', undefined],
  ['docs/envrc.md', undefined],
  ['.env', undefined],
  ['promise.toml', undefined],
])('%s: %s', (file, who) => {
  expect(runnerOf(file)).toBe(who);
});

test.each([
  ['Set up husky for commits', '.husky/pre-commit', true],
  ['Write .husky/pre-commit', '.husky/pre-commit', true],
  ['Add tasks for VSCode', '.vscode/tasks.json', true],
  ['Write a', '.husky/post-merge', false],
  ['Write the environment', '.envrc', false],
])('“%s” asks for %s: %s', (text, file, asks) => {
  expect(asksForRunner(text, file)).toBe(asks);
});
