// The supervisor beside the test, over the tunnel's program: it sees and signals by marks as it does in a container, where nobody
// else is.
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { spawn } from '../../src/process/spawn.ts';
import { ProcessSupervisor } from '../../src/sandbox/process-supervisor.ts';
import { startTunnel } from '../helpers/wires.ts';

const mark = `PAWL_SESSION=supervisor-test/${process.pid}` as const;

test('it finds, stops and ends what carries a mark, and says why a program cannot be started', async () => {
  const supervised = Promise.withResolvers<Duplex>();
  await using _tunnel = await startTunnel(() => {}, supervised.resolve);
  const supervisor = new ProcessSupervisor(await supervised.promise);
  expect(await supervisor.ready).toBe(true);
  const env = { PATH: process.env['PATH'] ?? '', PAWL_SESSION: `supervisor-test/${process.pid}` };
  const sleeper = spawn({ file: 'sleep', args: ['1000'], cwd: '/', env, input: 'closed' });
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

const ask = { op: 'try', file: 'sh', cwd: '/' } as const;

test.each([
  ['one that is gone', '', ''],
  ['what it says out of form', 'nonsense\n', '{"id":1,"processes":"all"}\n'],
  ['a line that is too long, and what comes after it,', 'x'.repeat(2e7), '\n{"id":1}\n'],
])('%s is not heard', async (_, before, answer) => {
  const stream = new Duplex({
    read: () => {},
    write: (_bytes, _encoding, done) => {
      for (const words of [answer, null]) stream.push(words);
      done();
    },
  });
  stream.push(`{"id":0}\n${before}`);
  const supervisor = new ProcessSupervisor(stream);
  expect(await supervisor.ready).toBe(true);
  expect(await supervisor.ask(ask)).toBeUndefined();
  expect(await supervisor.ask(ask)).toBeUndefined();
});

test('one that never spoke is not there', async () => {
  const stream = new Duplex({ read: () => {} });
  stream.destroy();
  expect(await new ProcessSupervisor(stream).ready).toBe(false);
});
