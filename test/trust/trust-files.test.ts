import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesAgentsObey } from '../../src/agent/agents.ts';
import { sandboxSchema } from '../../src/config/agent-settings.ts';
import { changedSince, digestFiles, trustHash } from '../../src/trust/trust.ts';
import { findTrustFiles, isTrustPath } from '../../src/trust/trust-files.ts';
import { eachWorld } from '../cli/world.ts';

const world = eachWorld();
const put = (file: string, text = file) => world.write(file, text);
const found = () => findTrustFiles(world.cwd).map(({ path: name, kind }) => `${kind} ${name}`);

test('none is an answer', () => {
  put('src/a.ts');
  expect(found()).toEqual([]);
});

test('settings of every agent count, but for what they install', () => {
  const files = [
    '.codex/config.toml',
    '.gemini/settings.json',
    '.github/copilot/settings.json',
    '.github/hooks/x.json',
    '.github/mcp.json',
    '.kimi-code/mcp.json',
    '.opencode/tool/x.ts',
    '.qwen/settings.json',
    'opencode.json',
  ];
  for (const file of [...files, '.opencode/node_modules/x/index.js']) put(file);
  expect(findTrustFiles(world.cwd).map((file) => file.path)).toEqual(files);
});

test('all of .claude, .pawl and .mcp.json counts, ignored files too, sorted', () => {
  put('.gitignore', '.claude/settings.local.json\n');
  for (const name of [
    '.pawl/config.yaml',
    '.mcp.json',
    '.claude/settings.local.json',
    '.claude/settings.json',
  ])
    put(name);
  put('.claude/skills/a/run.sh');
  put('.claude/hooks/pre.sh');
  put('CLAUDE.md');
  expect(found()).toEqual([
    'file .claude/hooks/pre.sh',
    'file .claude/settings.json',
    'file .claude/settings.local.json',
    'file .claude/skills/a/run.sh',
    'file .mcp.json',
    'file .pawl/config.yaml',
  ]);
});

test('skills and commands of any folder count, as links too; of git’s and of packages none', () => {
  put('packages/web/.claude/skills/a/SKILL.md');
  put('packages/web/.claude/commands/b.md');
  put('packages/web/.claude/settings.json');
  put('packages/web/deep/er/.claude/skills/c/run.sh');
  put('node_modules/x/.claude/skills/d.md');
  put('.git/x/.claude/skills/e.md');
  put('elsewhere/f.md');
  symlinkSync('../elsewhere', path.join(world.cwd, 'packages/.claude'));
  expect(found()).toEqual([
    'link packages/.claude',
    'file packages/.claude/f.md',
    'file packages/web/.claude/commands/b.md',
    'file packages/web/.claude/skills/a/SKILL.md',
    'file packages/web/deep/er/.claude/skills/c/run.sh',
  ]);
});

test('checkouts that Claude Code keeps are left out, no other folder is', () => {
  put('.claude/worktrees/a/.claude/settings.json');
  put('.claude/worktrees.md');
  put('.claude/agents/worktrees/a.md');
  expect(found()).toEqual(['file .claude/agents/worktrees/a.md', 'file .claude/worktrees.md']);
});

describe('links', () => {
  function link(target: string, name: string): void {
    mkdirSync(path.dirname(path.join(world.cwd, name)), { recursive: true });
    symlinkSync(target, path.join(world.cwd, name));
  }

  test.each([
    ['.claude', 'conf', 'conf/settings.json'],
    ['.claude/skills', '../.agents/skills', '.agents/skills/x/SKILL.md'],
    ['.mcp.json', 'conf/mcp.json', 'conf/mcp.json'],
    ['.pawl', 'conf', 'conf/templates/prompts/task.md'],
    ['.pawl/templates/prompts/task.md', '../../../t.md', 't.md'],
    ['web/.claude', '../conf', 'conf/skills/x/SKILL.md'],
  ])('%s → %s: what stands there counts', (name, target, file) => {
    put(file, 'one');
    link(target, name);
    const before = findTrustFiles(world.cwd);
    expect(before[0]).toMatchObject({ path: name, kind: 'link', target });
    put(file, 'two');
    expect(changedSince(findTrustFiles(world.cwd), digestFiles(before))).toHaveLength(1);
    expect(trustHash(findTrustFiles(world.cwd))).not.toBe(trustHash(before));
  });

  test('where it leads counts too', () => {
    put('a/x.md', 'same');
    put('b/x.md', 'same');
    link('a', '.claude');
    const before = findTrustFiles(world.cwd);
    rmSync(path.join(world.cwd, '.claude'));
    link('b', '.claude');
    expect(changedSince(findTrustFiles(world.cwd), digestFiles(before))).toEqual(['.claude']);
    expect(trustHash(findTrustFiles(world.cwd))).not.toBe(trustHash(before));
  });

  test.each(['/etc/passwd', '../..', '.git/config', 'out'])('%s is outside of the repository', (target) => {
    put('.git/config');
    link('/etc', 'out');
    link(target, '.mcp.json');
    expect(findTrustFiles(world.cwd)).toMatchObject([{ path: '.mcp.json', target, outside: true }]);
  });

  test('those in a circle, and those that lead nowhere, come to an end', () => {
    put('conf/a.md');
    link('.', 'conf/here');
    link('conf', '.claude');
    link('.mcp.json', '.mcp.json');
    link('gone', '.pawl');
    expect(found()).toEqual([
      'link .claude',
      'file .claude/a.md',
      'link .claude/here',
      'link .mcp.json',
      'link .pawl',
    ]);
  });
});

test('a pipe is not waited for', () => {
  mkdirSync(path.join(world.cwd, '.claude'));
  execFileSync('mkfifo', [path.join(world.cwd, '.claude/settings.json')]);
  expect(found()).toEqual([]);
});

test('more than a person could judge is refused before it is read', () => {
  put('.claude/huge.bin');
  truncateSync(path.join(world.cwd, '.claude/huge.bin'), 65 * 1024 * 1024);
  expect(() => findTrustFiles(world.cwd)).toThrow(/more than 5000 files or 64 MB/);
});

test.each([
  ['of its own', '.claude'],
  ['of the whole repository, by a link', 'src'],
])('more files than a person could judge are refused: %s', (_, folder) => {
  put(`${folder}/0`, '');
  // Names of one file, which are made in a tenth of the time.
  for (let at = 1; at <= 5000; at += 1)
    linkSync(path.join(world.cwd, folder, '0'), path.join(world.cwd, folder, `${at}`));
  mkdirSync(path.join(world.cwd, '.claude'), { recursive: true });
  if (folder === 'src') symlinkSync('..', path.join(world.cwd, '.claude/all'));
  expect(() => findTrustFiles(world.cwd)).toThrow(/more than 5000 files/);
});

test('what an agent obeys of a repository, nothing inside a sandbox can write', () => {
  const { protect } = sandboxSchema.parse({});
  const obeyed = filesAgentsObey.flatMap(({ names }) => names);
  expect(obeyed.filter((name) => !protect.includes(name))).toEqual([]);
});

test.each([
  ['.pawl/config.yaml', true],
  ['.mcp.json', true],
  ['.claude/agents/x.md', true],
  ['lib/.claude/skills/x/run.sh', true],
  ['lib/.claude/agents/x.md', false],
  ['lib/.pawl/config.yaml', false],
  ['.pawlx', false],
  ['src/a.ts', false],
])('by its path alone %s is covered: %s', (file, isCovered) => {
  expect(isTrustPath(file)).toBe(isCovered);
});
