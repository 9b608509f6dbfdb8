// A sandbox's way out where this machine itself has to use a proxy: the list decides, that proxy resolves and connects, and its
// login is in nobody's words. The proxy is one of this test, on loopback, which is none of NO_PROXY's business here.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readUpstreams } from '../../src/sandbox/dial.ts';
import { makeEgress } from '../../src/sandbox/egress.ts';
import { EgressProxy } from '../../src/sandbox/proxy.ts';
import { proxyPort } from '../../src/sandbox/tunnel.ts';
import { findFreePort } from '../helpers/wires.ts';

const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
const asked: { line: string; login: string | undefined }[] = [];
const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
let upstream: Server;
const open: { inside: NetServer; proxy: EgressProxy }[] = [];

const note = ({ method, url, headers }: IncomingMessage) =>
  asked.push({ line: `${method} ${url}`, login: headers['proxy-authorization'] });

beforeAll(async () => {
  upstream = createHttpServer();
  upstream.on('connect', (heard: IncomingMessage, socket: Socket) => {
    note(heard);
    if (heard.headers['proxy-authorization'] !== authorization)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
    const out = connect({
      port: (echo.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    // The other side's first words may come in one piece with the answer.
    socket.write('HTTP/1.1 200 OK\r\n\r\nhello ');
    out.pipe(socket);
    return socket.pipe(out);
  });
  upstream.listen(0, '127.0.0.1');
  echo.listen(0, '127.0.0.1');
  await Promise.all([once(upstream, 'listening'), once(echo, 'listening')]);
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => {
  for (const { inside, proxy } of open) {
    inside.close();
    proxy.close();
  }
  upstream.close();
  echo.close();
});

/** A port inside whose way out goes by the variables. */
async function enter(login = 'me:secret@', port = (upstream.address() as AddressInfo).port): Promise<number> {
  const url = `http://${login}127.0.0.1:${port}`;
  const proxy = new EgressProxy({
    egress: makeEgress({ mode: 'restricted', apis: [], allow: ['far.test', 'inward.test', 'direct.test'] }),
    resolve: async (host) => {
      if (host === 'inward.test') return ['192.168.7.7'];
      throw new Error(`ENOTFOUND ${host}`);
    },
    upstreams: readUpstreams({ HTTPS_PROXY: url, NO_PROXY: 'direct.test' }),
  });
  const inside = createServer({ allowHalfOpen: true }, (connection) => proxy.take(connection, proxyPort));
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
  open.push({ inside, proxy });
  return (inside.address() as AddressInfo).port;
}

async function ask(port: number, target: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\nwords`);
  return String(await buffer(socket));
}

test('https goes through it by CONNECT, by name and with its login', async () => {
  expect(await ask(await enter(), 'far.test:443')).toBe(
    'HTTP/1.1 200 Connection established\r\n\r\nhello words',
  );
  expect(asked).toEqual([{ line: 'CONNECT far.test:443', login: authorization }]);
});

test.each<[string, string, string]>([
  ['what is not listed', 'other.test:443', '403 Forbidden'],
  ['what is known here to lie in a local network', 'inward.test:443', '403 Forbidden'],
  ['what NO_PROXY names', 'direct.test:443', '502 Bad Gateway'],
])('it is not asked for %s', async (_, target, status) => {
  expect(await ask(await enter(), target)).toContain(`HTTP/1.1 ${status}\r\n`);
  expect(asked).toEqual([]);
});

test('where it refuses, or is not there, that is said, and no login', async () => {
  const refused = await ask(await enter('me:wrong@'), 'far.test:443');
  expect(refused).toMatch(
    /502[\s\S]*the proxy 127\.0\.0\.1:\d+ made no connection: it answered 407 Proxy Auth/,
  );
  const gone = await ask(await enter('me:wrong@', await findFreePort()), 'far.test:443');
  expect(gone).toMatch(/502[\s\S]*the proxy 127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/);
  expect(refused + gone).not.toMatch(/wrong|me:/);
});
