// pawl's end of a sandbox's tunnel: accepts the connections made inside, as HTTP/2 streams over the stdio of
// tunnel-main.ts. The proxy decides who may connect where.
import { existsSync } from 'node:fs';
import { constants, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** Port on the loopback inside where the proxy appears to listen. */
export const proxyPort = 3128;

/** The way out, while it lasts. */
export interface Tunnel {
  /** Resolves with true when the inside is listening, with false if it ended before. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Resolves when it is over, with an error if the inside broke the rules of HTTP/2 or these bounds. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Ends every connection. The main process inside exits when its input is closed. */
  close(): void;
}

/**
 * Limits on what the inside may ask of pawl; whatever runs there can write to the wire. Node's own limits on floods of
 * resets, pings and invalid frames apply as well.
 */
export const bounds = {
  /** The inside sends method, authority, priority; four is the minimum. */
  maxHeaderListPairs: 4,
  /** MB; beyond this no further stream is accepted. */
  maxSessionMemory: 10,
  settings: {
    /** Concurrent connections; one more waits inside, or is refused if the inside does not wait. */
    maxConcurrentStreams: 128,
    /**
     * How many bytes may wait for a reader that does not read. Each may come in a frame of its own, which costs much more
     * than a byte.
     */
    initialWindowSize: 16 * 1024,
    enablePush: false,
  },
} as const;

/** Accepts the connections made inside: `onConnection` gets each with its destination port. */
export function serveTunnel(wire: Duplex, onConnection: (connection: Duplex, port: number) => void): Tunnel {
  const session = performServerHandshake(wire, bounds);
  let broken: Error | undefined;
  session.on('error', (error) => {
    if (isRuleBroken(error)) broken = error;
  });
  session.on('stream', (stream, headers) => {
    // `close` reports its end too; without a listener an error would end the program.
    stream.on('error', () => {});
    // Reset before it was seen.
    if (stream.destroyed || stream.closed) return;
    resetWhenDestroyed(stream);
    const port = portOf(headers[':method'], headers[':authority']);
    if (port === undefined) return void stream.destroy();
    stream.respond({ ':status': 200 });
    onConnection(stream, port);
  });
  const ended = new Promise<Error | undefined>((resolve) => session.once('close', () => resolve(broken)));
  // The inside is listening before it sends its settings, the first thing it sends.
  const listens = new Promise<boolean>((resolve) => session.once('remoteSettings', () => resolve(true)));
  return {
    ready: Promise.race([listens, ended.then(() => false)]),
    ended,
    close: () => wire.destroy(),
  };
}

/** How many programs may have a way out at the same time; whoever is inside can ask for more and more. */
const mostWires = 64;

/** Listens, and passes on each connection made inside, with its destination port. Does not keep the process alive. */
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

/** The end of the wire itself, a broken pipe, is nobody's fault. */
function isRuleBroken(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith('ERR_HTTP2') === true;
}

/**
 * If destroyed before both directions have ended, a connection is reset; Node would report a proper end to the other side.
 */
function resetWhenDestroyed(stream: ServerHttp2Stream): void {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) =>
    destroy(error ?? (stream.closed ? undefined : new Error('the connection was reset')));
}

function portOf(method: string | undefined, authority: string | undefined): number | undefined {
  const port = /^localhost:(\d{1,5})$/.exec(authority ?? '')?.[1];
  return method === constants.HTTP2_METHOD_CONNECT && port !== undefined ? Number(port) : undefined;
}

/**
 * The program to run inside: a single file without dependencies in a built pawl; as source it needs Node 22.18 and its
 * folder.
 */
export function findTunnelProgram(): string {
  const candidates = ['./tunnel-main.ts', './tunnel.mjs', '../tunnel.mjs'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined) throw new Error(`the tunnel's program is not there: ${candidates.join(', ')}`);
  return found;
}
