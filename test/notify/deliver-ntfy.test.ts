// ntfy's own server: what pawl publishes is read back from it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { readChannel } from '../../src/notify/channel.ts';
import { deliver } from '../../src/notify/deliver.ts';
import type { Message } from '../../src/notify/message.ts';
import { has, ntfy } from '../helpers/needs.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

async function findPort(): Promise<number> {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as { port: number };
  await new Promise((resolve) => free.close(resolve));
  return port;
}

test.runIf(has('ntfy’s server (ntfy)'))('takes a message, with its title, priority and sign', async () => {
  using folder = makeTempFolder();
  const host = `127.0.0.1:${await findPort()}`;
  const server = spawn(
    ntfy ?? '',
    [
      ...['serve', '--config', '/dev/null', '--listen-http', host, '--base-url', `http://${host}`],
      ...['--cache-file', path.join(folder.path, 'cache.db')],
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    await vi.waitFor(() => fetch(`http://${host}/v1/health`), { timeout: 30_000, interval: 50 });
    const channel = readChannel(`ntfy://${host}/builds`);
    if ('problem' in channel) throw new Error(channel.problem);
    const message: Message = {
      ...{ title: 'pawl: Task 2 asks you', body: 'Grün?\n→ pawl answer 2 "…"', tone: 'warning', priority: 5 },
      events: [],
    };
    const tools = { runProgram: async () => undefined, timeoutMs: 10_000 };
    expect(await deliver(channel, message, tools)).toBeUndefined();
    const read = await (await fetch(`http://${host}/builds/json?poll=1`)).text();
    expect(JSON.parse(read)).toMatchObject({
      ...{ event: 'message', topic: 'builds', title: message.title, message: message.body },
      ...{ priority: 5, tags: ['warning'] },
    });
  } finally {
    server.kill();
    await ended;
  }
});
