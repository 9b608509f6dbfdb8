// pawl's end of a sandbox's tunnel: accepts the connections made inside, as HTTP/2 streams over the stdio of tunnel-main.ts.
// The proxy decides who may connect where.
import { existsSync } from 'node:fs';
import { constants, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Port on the inside's loopback where the proxy seems to listen. */
export const proxyPort = 3128;

/** The way out, while it lasts. */
export interface Tunnel {
  /** Settles when the inside listens: true; false when it ended before. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Settles when it is over, with the reason when the inside broke the rules of HTTP/2 or these bounds. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Ends every connection. The main process inside ends when its input is closed. */
  close(): void;
}

/** What the inside may ask of pawl; whatever runs there can write to the wire. Node's own bounds on floods of resets, pings and invalid frames hold as well. */
export const bounds = {
  /** As the inside sends: method, authority, priority; four is the least. */
  maxHeaderListPairs: 4,
  /** MB; with more in use no further stream is taken. */
  maxSessionMemory: 10,
  settings: {
    /** Connections at once; one more waits inside, and is refused where the inside does not wait. */
    maxConcurrentStreams: 128,
    /** Bytes that may wait for a reader that does not read. Each may come in a frame of its own, which costs much more than a byte. */
    initialWindowSize: 16 * 1024,
    enablePush: false,
  },
} as const;

/** Takes the connections that are made inside: `onConnection` gets each with the port it was made to. */
export function serveTunnel(wire: Duplex, onConnection: (connection: Duplex, port: number) => void): Tunnel {
  const session = performServerHandshake(wire, bounds);
  let broken: Error | undefined;
  session.on('error', (error) => {
    if (isRuleBroken(error)) broken = error;
  });
  session.on('stream', (stream, headers) => {
    // Whoever waits for it hears of its end by `close`, too; without a listener an error would end the program.
    stream.on('error', () => {});
    // Reset again before it was seen.
    if (stream.destroyed || stream.closed) return;
    resetWhenDestroyed(stream);
    const port = portOf(headers[':method'], headers[':authority']);
    if (port === undefined) return void stream.destroy();
    stream.respond({ ':status': 200 });
    onConnection(stream, port);
  });
  const ended = new Promise<Error | undefined>((resolve) => session.once('close', () => resolve(broken)));
  // The inside listens before it says its first word, which is its settings.
  const listens = new Promise<boolean>((resolve) => session.once('remoteSettings', () => resolve(true)));
  return {
    ready: Promise.race([listens, ended.then(() => false)]),
    ended,
    close: () => wire.destroy(),
  };
}

/** Programs that have a way out at the same time; whoever is inside can ask for more and more. */
const mostWires = 64;

/** Listens, and hands on each connection that is made inside, with the port it was made to. It keeps no process alive. */
export async function listenForWires(
  socket: string,
  onConnection: (connection: Duplex, port: number) => void,
): Promise<Server> {
  const server = createServer((wire) => {
    wire.on('error', () => {});
    serveTunnel(wire, onConnection);
  });
  server.maxConnections = mostWires;
  server.unref();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, () => resolve()));
  return server;
}

/** The wire's own end, a broken pipe, is nobody's fault. */
function isRuleBroken(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_HTTP2') === true;
}

/** Destroyed before both its ways have ended, a connection is reset; Node would tell the other side of a proper end. */
function resetWhenDestroyed(stream: ServerHttp2Stream): void {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) =>
    destroy(error ?? (stream.closed ? undefined : new Error('the connection was reset')));
}

function portOf(method: string | undefined, authority: string | undefined): number | undefined {
  const port = /^localhost:(\d{1,5})$/.exec(authority ?? '')?.[1];
  return method === constants.HTTP2_METHOD_CONNECT && port !== undefined ? Number(port) : undefined;
}

/** The program for the inside: one file without dependencies when pawl is built; as source it needs Node 22.18 and its folder. */
export function findTunnelProgram(): string {
  const candidates = ['./tunnel-main.ts', './tunnel.mjs', '../tunnel.mjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`the tunnel's program is not there: ${candidates.join(', ')}`);
  return found;
}
