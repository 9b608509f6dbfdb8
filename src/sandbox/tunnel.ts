// pawl's end of a sandbox's tunnel: accepts connections made inside as HTTP/2 streams over tunnel-main.ts's stdio.
import { constants, performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { findOwnProgram } from '../process/find-program.ts';

/** The proxy's, on the loopback inside. */
export const proxyPort = 3128;

export interface Tunnel {
  /** An error if the inside broke the rules of HTTP/2 or `bounds`. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** The main process inside exits when its input is closed. */
  close(): void;
}

/** Whatever runs inside can write to the wire. Node also has limits on floods of resets, pings and invalid frames. */
export const bounds = {
  /** Method, authority, priority; the minimum is four. */
  maxHeaderListPairs: 4,
  /** MB; beyond, further streams are refused. */
  maxSessionMemory: 10,
  settings: {
    /** One more waits inside, or is refused. */
    maxConcurrentStreams: 128,
    /** Unread bytes. Each may come in a frame of its own, which costs much more. */
    initialWindowSize: 16 * 1024,
    enablePush: false,
  },
} as const;

/** `port`: dialled inside. */
export function serveTunnel(wire: Duplex, onConnection: (connection: Duplex, port: number) => void): Tunnel {
  const session = performServerHandshake(wire, bounds);
  let broken: Error | undefined;
  session.on('error', (error: NodeJS.ErrnoException) => {
    // A broken pipe is nobody's fault.
    if (error.code?.startsWith('ERR_HTTP2')) broken = error;
  });
  session.on('stream', (stream, headers) => {
    // `close` reports its end; unheard, an error would end the program.
    stream.on('error', () => {});
    // Reset before seen.
    if (stream.destroyed || stream.closed) return;
    resetWhenDestroyed(stream);
    const port = portOf(headers[':method'], headers[':authority']);
    if (port === undefined) return void stream.destroy();
    stream.respond({ ':status': 200 });
    onConnection(stream, port);
  });
  const ended = new Promise<Error | undefined>((resolve) => session.once('close', () => resolve(broken)));
  return { ended, close: () => wire.destroy() };
}

/** Destroyed before both directions have ended, it is reset: Node would report a proper end. */
function resetWhenDestroyed(stream: ServerHttp2Stream): void {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error) =>
    destroy(error ?? (stream.closed ? undefined : new Error('the connection was reset')));
}

function portOf(method: string | undefined, authority: string | undefined): number | undefined {
  const port = /^localhost:(\d{1,5})$/.exec(authority ?? '')?.[1];
  return method === constants.HTTP2_METHOD_CONNECT && port !== undefined ? Number(port) : undefined;
}

/** A single file without dependencies in a built pawl; as source it needs Node 22.18 and its folder. */
export function findTunnelProgram(): string {
  return findOwnProgram(import.meta.url, './tunnel-main.ts', 'tunnel.mjs');
}
