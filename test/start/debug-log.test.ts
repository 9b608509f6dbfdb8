// The debug log: every program as a line, without secrets, in the run's folder or where it is asked for.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
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
  const log = startDebugLog({ env: { ...env, PAWL_DEBUG: '1' }, cwd: temp.path });
  await runOne(temp.path, 'sh', '-c', 'exit 3', 'a-secret-word');
  const file = log.openIn(temp.path) ?? '';
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
  const log = startDebugLog({ env: { ...env, PAWL_DEBUG: 'here.ndjson' }, cwd: temp.path });
  await runOne(temp.path, 'true');
  expect(linesOf(path.join(temp.path, 'here.ndjson'))).toMatchObject([{ argv: ['true'], code: 0 }]);
  expect(log.openIn(temp.path)).toBeUndefined();
});

test('a path that cannot be written is told with what it may be', () => {
  expect(() => startDebugLog({ env: { ...env, PAWL_DEBUG: '/nowhere/x' }, cwd: '/' })).toThrow(
    /debug log cannot be written/,
  );
});
