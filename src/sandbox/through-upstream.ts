// Connects through the proxy of this machine's network: directly to it, or through it by CONNECT. The caller has judged the
// destination.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { isIP, connect as openPlain, type Socket } from 'node:net';
import { connect as openTls } from 'node:tls';
import { defined } from '../defined.ts';
import { formatUpstream, type Upstream } from './upstream.ts';

/** A connection to the proxy itself, for an unencrypted request; rejects with the proxy's name. */
export async function reachUpstream(upstream: Upstream, signal: AbortSignal): Promise<Socket> {
  const { host, port, isTls } = upstream;
  const socket = isTls
    ? openTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : openPlain({ host, port, allowHalfOpen: true, noDelay: true });
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    drop(socket);
    if (signal.aborted) throw error;
    throw new Error(`the proxy ${formatUpstream(upstream)} cannot be reached: ${formatCause(error)}`);
  }
}

/** A connection to a target through the proxy; rejects with the proxy's answer. */
export async function connectThrough(
  upstream: Upstream,
  target: Readonly<{ host: string; port: number }>,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await reachUpstream(upstream, signal);
  const { authorization } = upstream;
  const name = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const ask = request({
    method: 'CONNECT',
    path: name,
    headers: { Host: name, ...defined({ 'Proxy-Authorization': authorization }) },
    createConnection: () => socket,
    signal,
  });
  try {
    ask.end();
    const [answer, , head] = (await once(ask, 'connect')) as [IncomingMessage, Socket, Buffer];
    if (answer.statusCode !== 200)
      throw new Error(`it answered ${answer.statusCode} ${answer.statusMessage}`);
    if (head.length > 0) socket.unshift(head);
    return socket;
  } catch (error) {
    drop(socket);
    if (signal.aborted) throw error;
    throw new Error(`the proxy ${formatUpstream(upstream)} made no connection: ${formatCause(error)}`);
  }
}

function drop(socket: Socket): void {
  socket.on('error', () => {});
  socket.destroy();
}

function formatCause(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
