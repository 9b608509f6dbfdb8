// The supervisor as a program beside the test: it sees and signals by marks as it does in a container, where nobody else is.
import { afterEach, expect, test } from 'vitest';
import { createSpawn, type Spawned } from '../../src/process/spawn.ts';
import { findSupervisorProgram, ProcessSupervisor } from '../../src/sandbox/process-supervisor.ts';

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

const mark = `PAWL_SESSION=supervisor-test/${process.pid}` as const;
const marked = { PAWL_SESSION: `supervisor-test/${process.pid}` };

test('it finds, stops and ends what carries a mark, and says why a program cannot be started', async () => {
  const supervisor = new ProcessSupervisor(start(process.execPath, [findSupervisorProgram()]));
  expect(await supervisor.ready).toBe(true);
  const sleeper = start('sleep', ['1000'], marked);
  const ask = { mark, alone: false } as const;
  await expect.poll(async () => (await supervisor.ask({ op: 'find', ...ask }))?.processes?.length).toBe(1);
  const { processes = [] } = (await supervisor.ask({ op: 'find', ...ask })) ?? {};
  expect(processes[0]?.command).toBe('sleep 1000');
  expect(await supervisor.ask({ op: 'signal', processes, signal: 'SIGSTOP' })).toMatchObject({});
  // Only who was started from outside a container has no parent there.
  expect(processes[0]).not.toHaveProperty('isRoot');
  expect((await supervisor.ask({ op: 'end', ...ask, except: processes }))?.processes).toEqual([]);
  expect((await supervisor.ask({ op: 'end', ...ask, except: [] }))?.processes).toHaveLength(1);
  expect((await sleeper.ended).signal).toBe('SIGTERM');
  expect(await supervisor.ask({ op: 'try', file: 'sh', cwd: '/' })).not.toHaveProperty('error');
  const missing = await supervisor.ask({ op: 'try', file: 'no-such-program', cwd: '/' });
  expect(missing?.error).toMatchObject({ code: 'ENOENT' });
});

test('one that is gone answers nothing, and what it says out of form is not heard', async () => {
  const script = `console.log('{"id":0}'); console.log('nonsense'); process.stdin.once('data', () => console.log('{"id":1,"processes":"all"}')); setTimeout(() => process.exit(0), 300)`;
  const supervisor = new ProcessSupervisor(start(process.execPath, ['-e', script]));
  expect(await supervisor.ready).toBe(true);
  expect(await supervisor.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
  expect(await supervisor.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
});

test('one that says a line that is too long is not heard any longer', async () => {
  const script = `console.log('{"id":0}'); process.stdout.write('x'.repeat(2e7)); console.log(); process.stdin.once('data', () => console.log('{"id":1}'))`;
  const supervisor = new ProcessSupervisor(start(process.execPath, ['-e', script]));
  expect(await supervisor.ready).toBe(true);
  expect(await supervisor.ask({ op: 'try', file: 'sh', cwd: '/' })).toBeUndefined();
});

test('one that cannot be started is not there', async () => {
  expect(await new ProcessSupervisor(start('no-such-program', [])).ready).toBe(false);
});
