// pawl's end of a tunnel against an inside that it does not trust: streams whole and apart from each other, bounded; one that
// breaks the rules of HTTP/2 is not heard any longer.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bounds, serveTunnel, type Tunnel } from '../../src/sandbox/tunnel.ts';
import { wireTo } from '../../src/sandbox/wire.ts';
import { makeWires } from '../helpers/wires.ts';

const { initialWindowSize: windowBytes, maxConcurrentStreams } = bounds.settings;

type Inside = Readonly<{ tunnel: Tunnel; session: ClientHttp2Session; raw: Duplex; cut(): void }>;

/** Both ends; the inside waits for no leave of pawl's to open streams. */
function makePair(onConnection: (connection: Duplex, port: number) => void): Inside {
  const { here, there, cut } = makeWires();
  const tunnel = serveTunnel(here, onConnection);
  const session = connect('http://localhost', {
    createConnection: () => there,
    peerMaxConcurrentStreams: 5000,
  });
  session.on('error', () => {});
  return { tunnel, session, raw: there, cut };
}

function open(session: ClientHttp2Session, port: number, more = {}): ClientHttp2Stream {
  const stream = session.request({ ':method': 'CONNECT', ':authority': `localhost:${port}`, ...more });
  stream.on('error', () => {});
  return stream;
}

const closed = (stream: Duplex) =>
  new Promise<void>((resolve) => (stream.closed ? resolve() : stream.once('close', () => resolve())));

/** Waits until something stays as it is. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, same = 0; ; ) {
    await nextTurn();
    same = read() === last ? same + 1 : 0;
    last = read();
    if (same > 50) return last;
  }
}

test.each<[string, (pair: Inside) => void]>([
  ['the end of the wire', ({ cut }) => cut()],
  ['a close', ({ tunnel }) => tunnel.close()],
])('%s ends every connection', async (_, end) => {
  const taken = Promise.withResolvers<Duplex>();
  const pair = makePair((connection) => taken.resolve(connection));
  open(pair.session, 1);
  const connection = await taken.promise;
  end(pair);
  await closed(connection);
  expect(await pair.tunnel.ended).toBeUndefined();
});

test('a wire that takes nothing any longer while much is written ends the tunnel, and pawl goes on', async () => {
  const { here, there } = makeWires();
  let isTaken = true;
  const wire = wireTo({
    stdout: here,
    send: (bytes) => new Promise((resolve) => here.write(bytes, () => setTimeout(() => resolve(isTaken), 1))),
  });
  const tunnel = serveTunnel(wire, (connection) => {
    const write = (): boolean =>
      !connection.destroyed && connection.write(Buffer.alloc(16_384), () => setImmediate(write));
    write();
  });
  const session = connect('http://localhost', { createConnection: () => there });
  session.on('error', () => {});
  const stream = open(session, 1);
  stream.once('data', () => {
    isTaken = false;
  });
  expect(await tunnel.ended).toBeUndefined();
});

test('who reads nothing holds a window of bytes and nobody else', async () => {
  const held: Duplex[] = [];
  const { session, cut } = makePair((connection, port) => {
    if (port === 2) connection.end('quick');
    else held.push(connection);
  });
  const slow = open(session, 1);
  let written = 0;
  const write = () =>
    void slow.write(Buffer.alloc(1024, 7), (error) => {
      if (error) return;
      written += 1024;
      write();
    });
  write();
  // What the window lets through, and what the inside itself has in hand.
  expect(await settled(() => written)).toBeLessThanOrEqual(windowBytes + 16 * 1024);
  expect(held[0]?.readableLength).toBeLessThanOrEqual(windowBytes);
  expect(String(await buffer(open(session, 2)))).toBe('quick');
  cut();
});

test('one connection more than may be is refused', async () => {
  const taken: number[] = [];
  const { session, cut } = makePair((_, port) => taken.push(port));
  for (let n = 0; n < maxConcurrentStreams; n++) open(session, 1);
  const last = open(session, 2);
  await closed(last);
  expect(last.rstCode).toBe(constants.NGHTTP2_REFUSED_STREAM);
  expect(taken).toHaveLength(maxConcurrentStreams);
  cut();
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['names no port', { ':authority': 'localhost' }],
  ['names another host', { ':authority': 'example.test:443' }],
  ['is no CONNECT', { ':method': 'POST', ':path': '/', ':scheme': 'http' }],
  ['has too many headers', { a: '1', b: '2', c: '3' }],
])('a request that %s is reset', async (_, headers) => {
  const taken: number[] = [];
  const { session, cut } = makePair((_connection, port) => taken.push(port));
  const stream = open(session, 1, headers);
  await closed(stream);
  expect(stream.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
  expect(taken).toEqual([]);
  cut();
});

test('connections that are reset before pawl has looked at them harm nobody', async () => {
  const { tunnel, session, cut } = makePair((connection) => connection.end('seen'));
  for (let n = 0; n < 50; n++) open(session, 1).close(constants.NGHTTP2_CANCEL);
  expect(String(await buffer(open(session, 1)))).toBe('seen');
  cut();
  expect(await tunnel.ended).toBeUndefined();
});

test('an inside that speaks no HTTP/2 is not heard any longer', async () => {
  const taken: Duplex[] = [];
  const { tunnel, raw } = makePair((connection) => taken.push(connection));
  raw.write('sh: node: not found, sh: node: not found\n');
  expect(await tunnel.ended).toMatchObject({ code: expect.stringMatching(/^ERR_HTTP2/) });
  expect(taken.every((connection) => connection.destroyed)).toBe(true);
});
