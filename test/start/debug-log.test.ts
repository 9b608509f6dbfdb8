// The debug log: every program as a line, without secrets, in the run's folder or where it is asked for.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/journal/mask.ts';
import { createSpawn } from '../../src/process/spawn.ts';
import { startDebugLog } from '../../src/start/debug-log.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const env = { PATH: process.env['PATH'] ?? '', MY_TOKEN: 'a-secret-word' };
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function runOne(cwd: string, file: string, ...args: string[]): Promise<void> {
  const program = createSpawn()({ file, args, cwd, env, input: 'closed' });
  await program.ended;
  await new Promise(setImmediate);
}

test('what was started before there is a run’s folder is in its log too', async () => {
  using temp = makeTempFolder();
  const log = startDebugLog({ env: { ...env, PAWL_DEBUG: '1' }, cwd: temp.path }, maskSecrets(env));
  await runOne(temp.path, 'sh', '-c', 'exit 3', 'a-secret-word');
  const file = log?.openIn(temp.path) ?? '';
  await runOne(temp.path, 'no-such-program');
  expect(path.dirname(file)).toBe(temp.path);
  expect(linesOf(file)).toMatchObject([
    {
      argv: ['sh', '-c', 'exit 3', '[MY_TOKEN]'],
      cwd: temp.path,
      pid: expect.any(Number),
      code: 3,
      ms: expect.any(Number),
    },
    { argv: ['no-such-program'], error: expect.stringContaining('no-such-program') },
  ]);
});

test('a path of its own is written from the first program on', async () => {
  using temp = makeTempFolder();
  const log = startDebugLog({ env: { ...env, PAWL_DEBUG: 'here.ndjson' }, cwd: temp.path }, maskSecrets(env));
  await runOne(temp.path, 'true');
  expect(linesOf(path.join(temp.path, 'here.ndjson'))).toMatchObject([{ argv: ['true'], code: 0 }]);
  expect(log?.openIn(temp.path)).toBeUndefined();
});

test.each<[string, 'off' | 'in the run’s folder' | 'refused' | 'there']>([
  ...['', '0', 'false', 'No', 'off'].map((asked) => [asked, 'off'] as [string, 'off']),
  ...['1', 'true', 'YES'].map((asked) => [asked, 'in the run’s folder'] as [string, 'in the run’s folder']),
  ['debug.ndjson', 'refused'],
  ['sub/../debug.ndjson', 'refused'],
  ['.git/debug.ndjson', 'there'],
  ['../debug.ndjson', 'there'],
])('PAWL_DEBUG=%s in a repository: %s', (asked, wanted) => {
  using temp = makeTempFolder();
  const root = path.join(temp.path, 'repo');
  mkdirSync(path.join(root, '.git'), { recursive: true });
  const start = () => startDebugLog({ env: { ...env, PAWL_DEBUG: asked }, cwd: root }, maskSecrets(env));
  if (wanted === 'refused') expect(start).toThrow(/into the working tree/);
  else if (wanted === 'off') expect(start()).toBeUndefined();
  else {
    const isInRun = start()?.openIn(temp.path) === path.join(temp.path, 'debug.ndjson');
    expect(isInRun ? 'in the run’s folder' : 'there').toBe(wanted);
  }
  expect(readdirSync(root)).toEqual(['.git']);
});

test('a long command line is cut, and no secret stands in folder or error', async () => {
  using temp = makeTempFolder();
  const folder = path.join(temp.path, 'a-secret-word');
  mkdirSync(folder);
  const log = startDebugLog({ env: { ...env, PAWL_DEBUG: '1' }, cwd: temp.path }, maskSecrets(env));
  const file = log?.openIn(temp.path) ?? '';
  await runOne(folder, 'no-a-secret-word', ...Array.from({ length: 500 }, String));
  const [line] = linesOf(file);
  expect(line?.['argv']).toHaveLength(201);
  expect(line?.['argv']).toContain('… and 301 more');
  expect(readFileSync(file, 'utf8')).not.toContain('a-secret-word');
});

test('a path that cannot be written is told with what it may be', () => {
  expect(() =>
    startDebugLog({ env: { ...env, PAWL_DEBUG: '/nowhere/x' }, cwd: '/' }, maskSecrets(env)),
  ).toThrow(/debug log cannot be written/);
});
