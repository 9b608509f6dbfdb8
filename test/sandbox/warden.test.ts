// The warden as a program beside the test: it sees and signals by marks as it does in a container, where nobody else is.
import { afterEach, expect, test } from 'vitest';
import { createSpawn, type Spawned } from '../../src/process/spawn.ts';
import { findWardenProgram, Warden } from '../../src/sandbox/warden.ts';

const spawn = createSpawn({ deathPrefix: [] });
const started: Spawned[] = [];

afterEach(() => {
  for (const program of started.splice(0)) program.signal('SIGKILL');
});

function start(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Spawned {
  const base = { PATH: process.env['PATH'] ?? '' };
  const program = spawn({ file, args, cwd: '/', env: { ...base, ...env }, input: 'pipe' });
  started.push(program);
  return program;
}

const mark = `PAWL_SESSION=warden-test/${process.pid}` as const;
const marked = { PAWL_SESSION: `warden-test/${process.pid}` };

test('it finds, stops and ends what carries a mark, and says why a program cannot be started', async () => {
  const warden = new Warden(start(process.execPath, [findWardenProgram()]));
  expect(await warden.ready).toBe(true);
  const sleeper = start('sleep', ['1000'], marked);
  const ask = { mark, alone: false } as const;
  await expect.poll(async () => (await warden.ask({ op: 'find', ...ask }))?.processes?.length).toBe(1);
  const { processes = [] } = (await warden.ask({ op: 'find', ...ask })) ?? {};
  expect(processes[0]?.command).toBe('sleep 1000');
  expect(await warden.ask({ op: 'signal', processes, signal: 'SIGSTOP' })).toMatchObject({});
  // Only who was started from outside a container has no parent there.
  expect(await warden.ask({ op: 'signal-group', mark, signal: 'SIGTERM' })).toMatchObject({ found: false });
  expect((await warden.ask({ op: 'end', ...ask, except: processes }))?.processes).toEqual([]);
  expect((await warden.ask({ op: 'end', ...ask, except: [] }))?.processes).toHaveLength(1);
  expect((await sleeper.ended).signal).toBe('SIGTERM');
  expect(await warden.ask({ op: 'try', file: 'sh', cwd: '/' })).not.toHaveProperty('error');
  const missing = await warden.ask({ op: 'try', file: 'no-such-program', cwd: '/' });
  expect(missing?.error).toMatchObject({ code: 'ENOENT' });
});

test('one that is gone answers nothing, and what it says out of form is not heard', async () => {
  const script = `console.log('{"id":0}'); console.log('nonsense'); process.stdin.once('data', () => console.log('{"id":1,"processes":"all"}')); setTimeout(() => process.exit(0), 300)`;
  const warden = new Warden(start(process.execPath, ['-e', script]));
  expect(await warden.ready).toBe(true);
  expect(await warden.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
  expect(await warden.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
});

test('one that says a line that is too long is not heard any longer', async () => {
  const script = `console.log('{"id":0}'); process.stdout.write('x'.repeat(2e7)); console.log(); process.stdin.once('data', () => console.log('{"id":1}'))`;
  const warden = new Warden(start(process.execPath, ['-e', script]));
  expect(await warden.ready).toBe(true);
  expect(await warden.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
});

test('one that cannot be started is not there', async () => {
  expect(await new Warden(start('no-such-program', [])).ready).toBe(false);
});
