import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findTrustFiles } from '../../src/config/trust-files.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pawl-trust-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(file: string, text = file): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const found = () => findTrustFiles(root).map(({ path: name, kind }) => `${kind} ${name}`);

test('none is an answer', () => {
  put('src/a.ts');
  expect(found()).toEqual([]);
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
  symlinkSync('../elsewhere', path.join(root, 'packages/.claude'));
  expect(found()).toEqual([
    'link packages/.claude',
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

test('links are not followed; where they lead is what counts', () => {
  put('elsewhere/settings.json', 'secret');
  symlinkSync('elsewhere', path.join(root, '.claude'));
  symlinkSync('/etc/passwd', path.join(root, '.mcp.json'));
  const files = findTrustFiles(root);
  expect(files.map(({ path: name, kind, bytes }) => [name, kind, Buffer.from(bytes).toString()])).toEqual([
    ['.claude', 'link', 'elsewhere'],
    ['.mcp.json', 'link', '/etc/passwd'],
  ]);
});

test('a pipe is not waited for', () => {
  mkdirSync(path.join(root, '.claude'));
  execFileSync('mkfifo', [path.join(root, '.claude/settings.json')]);
  expect(found()).toEqual([]);
});

test('more than a person could judge is refused before it is read', () => {
  put('.claude/huge.bin');
  truncateSync(path.join(root, '.claude/huge.bin'), 65 * 1024 * 1024);
  expect(() => findTrustFiles(root)).toThrow(/more than 5000 files or 64 MB/);
});

test('too many files are refused', () => {
  mkdirSync(path.join(root, '.claude'));
  const file = path.join(root, '.claude/0');
  writeFileSync(file, '');
  // Names of one file, which are made in a tenth of the time.
  for (let index = 1; index <= 5000; index += 1) linkSync(file, path.join(root, `.claude/${index}`));
  expect(() => findTrustFiles(root)).toThrow(/more than 5000 files/);
});
