// Finding the shell, and telling a program that is missing from one that ends with 127 itself.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findShell, findStartComplaint } from '../../src/check/shell.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pawl-shell-'));
  for (const file of ['both/bash', 'both/sh', 'sh-only/sh', 'sh-only/bash', 'folders/bash/x']) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), '', { mode: 0o755 });
  }
  chmodSync(path.join(folder, 'sh-only/bash'), 0o644);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inPath = (...names: string[]) =>
  findShell({ PATH: names.map((name) => path.join(folder, name)).join(':') });

it('takes bash where there is one', async () => {
  expect(await inPath('missing', 'both')).toEqual({
    name: 'bash',
    file: path.join(folder, 'both/bash'),
    args: ['-eo', 'pipefail', '-c'],
  });
});

it('takes sh where bash cannot be executed or is a folder', async () => {
  expect(await inPath('folders', 'sh-only')).toEqual({
    name: 'sh',
    file: path.join(folder, 'sh-only/sh'),
    args: ['-e', '-c'],
  });
});

it('looks in the usual folders without PATH, never in relative ones', async () => {
  expect((await findShell({})).file).toMatch(/^\/(?:usr\/)?(?:local\/)?bin\/(?:ba)?sh$/);
  const relative = path.relative(process.cwd(), path.join(folder, 'both'));
  await expect(findShell({ PATH: relative })).rejects.toMatchObject({ code: 'environment' });
});

it('fails with a hint where there is none', async () => {
  await expect(inPath('missing')).rejects.toMatchObject({
    code: 'environment',
    hint: expect.stringContaining('PATH'),
  });
});

it.each<[string, number | null, string, boolean]>([
  ['bash', 127, 'bash: line 1: x: command not found', true],
  ['bash in German', 127, 'bash: Zeile 1: x: Kommando nicht gefunden.', true],
  ['bash by its path', 126, '/usr/bin/bash: line 1: ./x: Permission denied', true],
  ['dash', 127, 'sh: 1: x: not found', true],
  ['busybox', 127, 'sh: x: not found', true],
  ['a script', 127, './run.sh: line 3: x: command not found', true],
  ['a script in dash', 127, './run.sh: 3: x: not found', true],
  ['a script that is no program', 126, './x: line 1: ./y: cannot execute: required file not found', true],
  ['a bad interpreter', 126, 'bash: line 1: ./x: /no/such: bad interpreter: No such file or directory', true],
  ['env', 127, 'env: ‘x’: No such file or directory', true],
  ['timeout', 127, "timeout: failed to run command 'x': No such file or directory", true],
  [
    'npm, with lines of its own after it',
    127,
    '> a@1 test\n> x\n\nsh: 1: x: not found\nnpm error Lifecycle script failed\nnpm error code 127\n',
    true,
  ],
  ['no words at all', 127, '', false],
  ['words of the program', 127, 'error: 3 tests failed: see above', false],
  ['words of the shell, but another exit', 1, 'bash: line 1: x: command not found', false],
  ['no exit', null, 'bash: line 1: x: command not found', false],
  ['words too far back', 127, `bash: line 1: x: command not found\n${'ok\n'.repeat(60)}`, false],
])('%s, exit %s', (_, exit, output, complains) => {
  expect(findStartComplaint(exit, output) !== undefined).toBe(complains);
});

it('is the line itself', () => {
  expect(findStartComplaint(127, 'a\n  sh: 1: x: not found\r\nb\n')).toBeUndefined();
  expect(findStartComplaint(127, 'a\nsh: 1: x: not found\nb\n')).toBe('sh: 1: x: not found');
});
