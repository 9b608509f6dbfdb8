// The only way out of a sandbox: an HTTP proxy that connects (CONNECT) to what the list allows, answers 403 otherwise,
// and reports refusals.
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type Dialled,
  type DialTarget,
  dial,
  type Resolve,
  resolveBySystem,
  type Upstreams,
} from './dial.ts';
import { type Egress, splitPort } from './egress.ts';
import { proxyPort } from './tunnel.ts';
import { joinConnections } from './wire.ts';

export type EgressRefusal = Readonly<{ host: string; port: number; why: 'host' | 'address'; times: number }>;

export type ProxyOptions = Readonly<{
  /** Read for each connection: it may grow. */
  readonly egress: Egress;
  /** At the 1st, 10th, 100th, … refusal for each of at most `mostTold` hosts. */
  onRefused?: (refusal: EgressRefusal) => void;
  /** Default: the system's resolver. */
  resolve?: Resolve;
  /** Of this machine's network; default: none. */
  upstreams?: Upstreams;
}>;

/** Hosts whose refusals are reported: names can be made up without end. */
export const mostTold = 100;

/** It listens nowhere. Also leads to configured models on this machine. */
export class EgressProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #refusals = new Map<string, number>();

  constructor(options: ProxyOptions) {
    this.#options = options;
    // Uploads and models may be slow.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 60_000, keepAlive: false });
    this.#server.on('connect', (request, connection, head) => void this.#join(request, connection, head));
    this.#server.on('request', (_, response) => {
      response.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
      response.end('pawl: only CONNECT leads out of this sandbox, as for https\n');
    });
    this.#server.on('clientError', (_, connection) => {
      if (connection.writable) connection.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      else connection.destroy();
    });
  }

  /** `port`: as it was dialled inside. */
  take(connection: Duplex, port: number): void {
    if (port === proxyPort) this.#server.emit('connection', connection);
    else if (this.#options.egress.loopbackPorts.includes(port)) void this.#lead(connection, port);
    else connection.destroy();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** To a model on this machine, which has the same port inside. */
  async #lead(connection: Duplex, port: number): Promise<void> {
    const here = { resolve: async () => ['127.0.0.1', '::1'] };
    const dialled = await dial(this.#options.egress, { host: 'localhost', port }, here);
    if ('socket' in dialled && this.#keep(dialled.socket, connection))
      joinConnections(connection, dialled.socket);
    else connection.destroy();
  }

  async #join(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    const parts = splitPort(request.url ?? '');
    if (!parts?.port) return endWith(connection, { code: 400, says: 'CONNECT names no host and port' });
    const target = { host: parts.host, port: parts.port };
    const { egress, upstreams, resolve = resolveBySystem } = this.#options;
    const dialled = await dial(egress, target, { resolve, upstreams });
    if (!('socket' in dialled)) return endWith(connection, this.#answer(target, dialled));
    if (!this.#keep(dialled.socket, connection)) return;
    connection.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) dialled.socket.write(head);
    joinConnections(connection, dialled.socket);
  }

  /** False if the client has gone meanwhile. */
  #keep(socket: Socket, asker: Duplex): boolean {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    if (asker.destroyed) socket.destroy();
    return !asker.destroyed;
  }

  #answer(target: DialTarget, dialled: Exclude<Dialled, { socket: Socket }>): Answer {
    const name = `${target.host}:${target.port}`;
    if ('failed' in dialled) return { code: 502, says: `${name}: ${dialled.failed}` };
    this.#count(target, dialled.refused);
    const why =
      dialled.refused === 'host'
        ? 'is not on the list of hosts that may be reached'
        : 'leads to an address of a local network, which is not on the list of what may be reached';
    return { code: 403, says: `pawl: ${name} ${why} from this sandbox` };
  }

  #count(target: DialTarget, why: EgressRefusal['why']): void {
    const name = `${target.host}:${target.port}`;
    const times = (this.#refusals.get(name) ?? 0) + 1;
    if (times === 1 && this.#refusals.size >= mostTold) return;
    this.#refusals.set(name, times);
    if (/^10*$/.test(String(times))) this.#options.onRefused?.({ ...target, why, times });
  }
}

type Answer = Readonly<{ code: 400 | 403 | 502; says: string }>;

function endWith(connection: Duplex, { code, says }: Answer): void {
  const body = `${says}\n`;
  connection.end(
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
