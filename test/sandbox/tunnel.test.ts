// The tunnel's program as it runs inside a sandbox: connections to loopback there come out here, whole.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { findTunnelProgram } from '../../src/sandbox/tunnel.ts';
import { findFreePort, startTunnel } from '../helpers/wires.ts';

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('fifty at once, and twenty megabytes both ways without damage', async () => {
  await using running = await startTunnel((connection) => connection.pipe(connection));
  const talk = async (sent: Buffer) => {
    const socket = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(sent);
    return hash(await buffer(socket)) === hash(sent);
  };
  const small = Array.from({ length: 50 }, (_, n) => talk(randomBytes(20_000 + n)));
  const all = await Promise.all([...small, talk(randomBytes(20 * 1024 * 1024))]);
  expect(all).toEqual(all.map(() => true));
});

test('long answers do not hold up a short one', async () => {
  const taken: Duplex[] = [];
  let [long, atShort] = [0, Number.POSITIVE_INFINITY];
  await using running = await startTunnel((connection) => {
    if (taken.push(connection) === 9)
      for (const each of taken) each.end(each === connection ? 'short' : Buffer.alloc(1024 * 1024));
  });
  const sockets = Array.from({ length: 9 }, () => connect(running.port, '127.0.0.1'));
  await Promise.all(
    sockets.map(async (socket) => {
      for await (const piece of socket) {
        if (String(piece) === 'short') atShort = long;
        else long += (piece as Buffer).length;
      }
    }),
  );
  expect(long).toBe(8 * 1024 * 1024);
  expect(atShort).toBeLessThan(long / 2);
});

test('a way that ends, and a reset, are what they are on the other side', async () => {
  const seen: string[] = [];
  const other = Promise.withResolvers<void>();
  await using running = await startTunnel((connection) => {
    connection.once('close', () => seen.push(connection.errored ? 'reset' : 'ended'));
    connection.once('end', () => connection.end('and back'));
    connection.on('data', (heard) => {
      if (String(heard) === 'reset me') connection.destroy();
      if (String(heard) === 'other') other.resolve();
    });
  });
  const half = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true });
  half.write('half');
  await once(half, 'connect');
  half.end();
  expect(String(await buffer(half))).toBe('and back');

  const reset = connect(running.port, '127.0.0.1');
  reset.write('reset me');
  const [error] = await once(reset, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });

  const resets = connect(running.port, '127.0.0.1');
  resets.write('other');
  await other.promise;
  resets.resetAndDestroy();
  while (seen.length < 3) await new Promise(setImmediate);
  expect(seen).toEqual(['ended', 'reset', 'reset']);
});

test('a port that is taken there keeps only the proxy’s from being', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const start = (...ports: readonly number[]) =>
    spawnSync(process.execPath, [findTunnelProgram(), ...ports.map(String)], { encoding: 'utf8', input: '' });
  expect(start(await findFreePort(), port)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`port ${port} outside is not here`),
  });
  expect(start(port)).toMatchObject({ status: 1, stderr: expect.stringContaining('EADDRINUSE') });
  server.close();
});

test('it ends when its input does', async () => {
  await using running = await startTunnel(() => {});
  const socket = connect(running.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  running.closeInput();
  expect(await running.exited).toBe(0);
  expect(await running.tunnel.ended).toBeUndefined();
});
