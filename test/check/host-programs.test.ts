import { expect, test } from 'vitest';
import { asksForRunner, runnerOf } from '../../src/check/host-programs.ts';

const runners = {
  'git’s hooks': '.husky/post-merge .husky .HUSKY/post-merge lefthook.yml .lefthook-local.toml',
  'a shell': '.envrc sub/.envrc mise.toml',
  'an editor': '.vscode/tasks.json .idea/x.xml a.code-workspace',
  'a dev container': '.devcontainer/devcontainer.json',
  'an agent': 'sub/.claude/settings.json .kimi-code/mcp.json .github/hooks/a.json .github/mcp.json',
  nobody:
    'src/husky.ts docs/envrc.md .env promise.toml .github/workflows/ci.yml sub/hooks/a.json test/mcp.json',
};

test.each(
  Object.entries(runners).flatMap(([who, files]) => files.split(' ').map((file) => [who, file] as const)),
)('%s runs %s', (who, file) => {
  expect(runnerOf(file) ?? 'nobody').toBe(who);
});

test.each([
  ['Set up husky for commits', '.husky/pre-commit', true],
  ['Write .husky/pre-commit', '.husky/pre-commit', true],
  ['Add tasks for VSCode', '.vscode/tasks.json', true],
  ['Write a', '.husky/post-merge', false],
  ['Write the environment', '.envrc', false],
  ['Add hooks for Copilot', '.github/hooks/a.json', true],
  ['Read the settings as JSON', '.github/hooks/a.json', false],
])('“%s” asks for %s: %s', (text, file, asks) => {
  expect(asksForRunner(text, file)).toBe(asks);
});
