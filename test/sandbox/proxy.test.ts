// The way out of a sandbox, from a client inside, through the tunnel's program and the proxy, to servers on this machine.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEgress } from '../../src/sandbox/egress.ts';
import { EgressProxy, type EgressRefusal, mostTold } from '../../src/sandbox/proxy.ts';
import { proxyPort } from '../../src/sandbox/tunnel.ts';
import { findFreePort, type RunningTunnel, startTunnel } from '../helpers/wires.ts';

let echo: Server;
let proxy: EgressProxy;
let running: RunningTunnel;
let led: RunningTunnel;
let closedPort: number;
const refusals: EgressRefusal[] = [];
const resolved: string[] = [];

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  closedPort = await findFreePort();
  const ports = [portOf(echo), closedPort];
  const allow = ports.flatMap((port) => [`127.0.0.1:${port}`, `listed.test:${port}`]);
  const egress = makeEgress({
    mode: 'restricted',
    apis: [{ host: `localhost:${portOf(echo)}`, isConfigured: true }],
    allow: [...allow, 'inward.test', 'nowhere.test'],
  });
  const resolve = async (host: string) => {
    resolved.push(host);
    if (host === 'nowhere.test') throw new Error('ENOTFOUND nowhere.test');
    return host === 'inward.test' ? ['192.168.7.7', '169.254.169.254'] : ['127.0.0.1'];
  };
  proxy = new EgressProxy({ egress, resolve, onRefused: (refusal) => refusals.push(refusal) });
  running = await startTunnel((connection) => proxy.take(connection, proxyPort));
  led = await startTunnel((connection) => proxy.take(connection, portOf(echo)));
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await led[Symbol.asyncDispose]();
  proxy.close();
  echo.close();
});

function dialIn(port = running.port): Socket {
  return connect({ port, host: '127.0.0.1', allowHalfOpen: true });
}

/** All that comes back to these words. */
async function say(words: string): Promise<string> {
  const socket = dialIn();
  socket.write(words);
  const heard = await text(socket);
  socket.end();
  return heard;
}

const connectTo = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`;

test('CONNECT leads to a listed host, with what came right behind it, and half-closes', async () => {
  const socket = dialIn();
  socket.end(`${connectTo(`listed.test:${portOf(echo)}`)}first words`);
  const heard = String(await buffer(socket));
  expect(heard).toBe('HTTP/1.1 200 Connection established\r\n\r\nfirst words');
  expect(resolved).toContain('listed.test');
});

test.each<[string, () => string, string, string]>([
  ['is not listed', () => 'other.test:443', '403 Forbidden', 'other.test:443 is not on the list'],
  ['is listed with another port', () => 'listed.test:1', '403 Forbidden', 'listed.test:1 is not on the list'],
  ['is this machine', () => '127.0.0.1:1', '403 Forbidden', '127.0.0.1:1 is not on the list'],
  ['leads into a local network', () => 'inward.test:443', '403 Forbidden', 'leads to an address'],
  ['is not there', () => 'nowhere.test:443', '502 Bad Gateway', 'ENOTFOUND'],
  ['does not answer', () => `listed.test:${closedPort}`, '502 Bad Gateway', 'ECONNREFUSED'],
  ['has no port', () => 'listed.test', '400 Bad Request', 'no host and port'],
])('CONNECT to what %s is answered', async (_, target, status, says) => {
  const heard = await say(connectTo(target()));
  expect(heard).toContain(`HTTP/1.1 ${status}\r\n`);
  expect(heard).toContain(says);
});

test('a host that is not listed is not even looked up', async () => {
  await say(connectTo('secret-as-a-name.test:443'));
  expect(resolved).not.toContain('secret-as-a-name.test');
});

test('refusals are told once for each host, and then for each tenfold', async () => {
  for (let n = 0; n < 10; n++) await say(connectTo('again.test:443'));
  expect(refusals.filter(({ host }) => host === 'again.test')).toEqual([
    { host: 'again.test', port: 443, why: 'host', times: 1 },
    { host: 'again.test', port: 443, why: 'host', times: 10 },
  ]);
  expect(refusals).toContainEqual({ host: 'inward.test', port: 443, why: 'address', times: 1 });
});

test.each<[string, string, string, string]>([
  ['with a whole address', 'GET http://listed.test/ HTTP/1.1\r\nHost: a\r\n', '403', 'only CONNECT'],
  ['in no HTTP', 'hello there\r\n', '400', ''],
])('what asks %s is answered', async (_, words, status, says) => {
  const heard = await say(`${words}Connection: close\r\n\r\n`);
  expect(heard).toContain(`HTTP/1.1 ${status} `);
  expect(heard).toContain(says);
});

test('a model on this machine’s loopback is there inside by its port', async () => {
  const socket = dialIn(led.port);
  socket.end('straight');
  expect(String(await buffer(socket))).toBe('straight');
});

test('a port that leads nowhere is closed', async () => {
  await using other = await startTunnel((connection) => proxy.take(connection, 9));
  const socket = dialIn(other.port);
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});

test('of names made up without end only some are told', async () => {
  const told: EgressRefusal[] = [];
  const closed = makeEgress({ mode: 'none', apis: [], allow: [] });
  const strict = new EgressProxy({ egress: closed, onRefused: (refusal) => told.push(refusal) });
  await using other = await startTunnel((connection) => strict.take(connection, proxyPort));
  for (let n = 0; n < mostTold + 5; n++) {
    const socket = dialIn(other.port);
    socket.end(connectTo(`word-${n}.test:443`));
    expect(await text(socket)).toContain('403');
  }
  expect(told).toHaveLength(mostTold);
});
