// Connects this machine to allowed hosts: resolves and dials only approved addresses. A proxy that this machine must
// use, by the usual variables, does both; its login is never printed.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as openTls } from 'node:tls';
import { aborted } from '../aborted.ts';
import { defined } from '../defined.ts';
import { orElse } from '../or-else.ts';
import { type Egress, mayDial, mayReach, splitPort } from './egress.ts';
import { type IpAddress, isWithin, kindOf, parseAddress, parseRange } from './ip-address.ts';

export type DialTarget = Readonly<{ host: string; port: number }>;

/** Rejects if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type Ways = Readonly<{ resolve: Resolve; upstreams?: Upstreams | undefined }>;

/** `refused`: not on the list. */
export type Dialled =
  | Readonly<{ socket: Socket }>
  | Readonly<{ refused: 'host' | 'address' }>
  | Readonly<{ failed: string }>;

const connectMs = 30_000;

/** For a name that a proxy can resolve as well. */
const resolveMs = 3_000;

export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Never rejects. */
export async function dial(egress: Egress, target: DialTarget, ways: Ways): Promise<Dialled> {
  if (!mayReach(egress, target.host, target.port)) return { refused: 'host' };
  const signal = AbortSignal.timeout(connectMs);
  const upstream = ways.upstreams && upstreamFor(ways.upstreams, target);
  try {
    const found = await resolveJudged(egress, target, { ...ways, signal, mayFail: upstream !== undefined });
    if (found?.length === 0) return { refused: 'address' };
    if (upstream) return { socket: await connectThrough(upstream, target, signal) };
    return { socket: await open(found ?? [], target.port, signal) };
  } catch (error) {
    if (signal.aborted) return { failed: `no answer in ${connectMs / 1000} s` };
    return { failed: formatError(error) };
  }
}

/** Undefined if it has none here and another is to resolve it (`mayFail`). */
async function resolveJudged(
  egress: Egress,
  target: DialTarget,
  how: Pick<Ways, 'resolve'> & Readonly<{ signal: AbortSignal; mayFail: boolean }>,
): Promise<readonly string[] | undefined> {
  const { resolve, signal, mayFail } = how;
  const clock = mayFail ? AbortSignal.any([signal, AbortSignal.timeout(resolveMs)]) : signal;
  const found = parseAddress(target.host)
    ? [target.host]
    : await withClock(resolve(target.host), clock).catch((error: unknown) => {
        // Behind a proxy, internet names often have no address here.
        if (mayFail && !signal.aborted) return undefined;
        throw error;
      });
  return found?.filter((text) => {
    const address = parseAddress(text);
    return address && mayDial(egress, { ...target, address, isOwn: isOwn(address) });
  });
}

/** An interface here has it: its services may be walled off from the world, but not from here. */
function isOwn(address: IpAddress): boolean {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.some((own) => parseAddress(own.address) === address);
}

/** Connects to whichever answers first. */
async function open(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = connect({
    host: 'judged.invalid',
    port,
    allowHalfOpen: true,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_host, _options, done) => done(null, all),
  });
  return whenOpen(socket, 'connect', signal);
}

async function whenOpen(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    drop(socket);
    throw error;
  }
}

function withClock<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([work, aborted(signal).then(() => Promise.reject(signal.reason))]);
}

function formatError(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}

/** Rejects with the proxy's name. */
async function reachUpstream(upstream: Upstream, signal: AbortSignal): Promise<Socket> {
  const { host, port, isTls } = upstream;
  const socket = isTls
    ? openTls({ host, port, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host, port, allowHalfOpen: true, noDelay: true });
  try {
    return await whenOpen(socket, isTls ? 'secureConnect' : 'connect', signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Error(`the proxy ${formatUpstream(upstream)} cannot be reached: ${formatError(error)}`);
  }
}

/** Rejects with the proxy's answer. */
async function connectThrough(upstream: Upstream, target: DialTarget, signal: AbortSignal): Promise<Socket> {
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
    throw new Error(`the proxy ${formatUpstream(upstream)} made no connection: ${formatError(error)}`);
  }
}

function drop(socket: Socket): void {
  socket.on('error', () => {});
  socket.destroy();
}

type Upstream = Readonly<{
  host: string;
  port: number;
  isTls: boolean;
  /** Value of `Proxy-Authorization`: a secret. */
  authorization?: string;
}>;

export type Upstreams = Readonly<{
  /** Asked to CONNECT. */
  upstream?: Upstream | undefined;
  /** Entries of NO_PROXY. */
  direct: readonly string[];
}>;

/** Reads HTTPS_PROXY, ALL_PROXY and NO_PROXY; lower case goes first, as in curl. */
export function readUpstreams(env: Readonly<Record<string, string | undefined>>): Upstreams {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  const named = names.map((name) => env[name]?.trim()).find((text) => text);
  const direct = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return { upstream: named ? parseUpstream(named) : undefined, direct };
}

function parseUpstream(text: string): Upstream | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  const isTls = url.protocol === 'https:';
  const login = [url.username, url.password]
    .map((part) => orElse(() => decodeURIComponent(part), part))
    .join(':');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
    ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
  };
}

/** Undefined: dialled directly, as this machine itself always is. */
export function upstreamFor({ upstream, direct }: Upstreams, target: DialTarget): Upstream | undefined {
  return upstream && !isDirect(direct, target) ? upstream : undefined;
}

function isDirect(entries: readonly string[], target: DialTarget): boolean {
  const host = target.host.toLowerCase().replace(/\.$/, '');
  const address = parseAddress(host);
  if (host === 'localhost' || (address && kindOf(address) === 'loopback')) return true;
  return entries.some((entry) => {
    if (entry === '*') return true;
    const range = parseRange(entry);
    if (range) return address !== undefined && isWithin(address, range);
    const { host: name, port } = splitPort(entry.replace(/^\*?\./, '')) ?? {};
    if (name === undefined || (port !== undefined && port !== target.port)) return false;
    const named = parseAddress(name);
    return named ? address === named : host === name || host.endsWith(`.${name}`);
  });
}

/** Without its login. */
export function formatUpstream({ host, port, isTls }: Upstream): string {
  return `${isTls ? 'https://' : ''}${host.includes(':') ? `[${host}]` : host}:${port}`;
}
