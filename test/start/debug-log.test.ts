// The debug log: every program as a line, without secrets, where it is asked for.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/journal/mask.ts';
import { spawn } from '../../src/process/spawn.ts';
import { startDebugLog } from '../../src/start/debug-log.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const env = { PATH: process.env['PATH'] ?? '', MY_TOKEN: 'a-secret-word' };

async function runOne(cwd: string, file: string, ...args: string[]): Promise<void> {
  const program = spawn({ file, args, cwd, env, input: 'closed' });
  await program.ended;
  await new Promise(setImmediate);
}

test('each program is a line: cut where it is long, and without a secret in words, folder or error', async () => {
  using temp = makeTempFolder();
  const folder = path.join(temp.path, 'a-secret-word');
  mkdirSync(folder);
  startDebugLog({ env: { ...env, PAWL_DEBUG: 'here.ndjson' }, cwd: temp.path }, maskSecrets(env));
  await runOne(folder, 'sh', '-c', 'exit 3', 'a-secret-word');
  await runOne(folder, 'no-a-secret-word', ...Array.from({ length: 500 }, String));
  const text = readFileSync(path.join(temp.path, 'here.ndjson'), 'utf8');
  const lines = text.trim().split('\n');
  expect(text).not.toContain('a-secret-word');
  const [one, other] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const number = expect.any(Number);
  expect(one).toMatchObject({ argv: ['sh', '-c', 'exit 3', '[MY_TOKEN]'], pid: number, code: 3, ms: number });
  expect(other).toMatchObject({ error: expect.stringContaining('no-') });
  expect(other?.['argv']).toHaveLength(201);
  expect(other?.['argv']).toContain('… and 301 more');
});

test.each([
  ['debug.ndjson', /into the working tree/],
  ['sub/../debug.ndjson', /into the working tree/],
  ['/nowhere/x', /debug log cannot be written/],
  ['.git/debug.ndjson', undefined],
  ['../debug.ndjson', undefined],
  ['', undefined],
])('PAWL_DEBUG=%s in a repository: %s', (asked, refused) => {
  using temp = makeTempFolder();
  const root = path.join(temp.path, 'repo');
  mkdirSync(path.join(root, '.git'), { recursive: true });
  const start = () => startDebugLog({ env: { ...env, PAWL_DEBUG: asked }, cwd: root }, maskSecrets(env));
  if (refused) expect(start).toThrow(refused);
  else expect(start()).toBeUndefined();
  expect(readdirSync(root)).toEqual(['.git']);
});
