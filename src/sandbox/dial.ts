// Connects to what a list allows, from this machine: resolves the name itself and dials only addresses that were judged.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { parseAddress } from './address.ts';
import { type Egress, mayDial, mayReach } from './egress.ts';

/** Where to. */
export type Target = Readonly<{ host: string; port: number }>;

/** The addresses of a name; rejects when there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** A connection; or why there is none: not on the list, or where it leads is not; or it could not be reached. */
export type Dialled =
  | Readonly<{ socket: Socket }>
  | Readonly<{ refused: 'host' | 'address' }>
  | Readonly<{ failed: string }>;

/** How long a connection may take to be made. */
const connectMs = 30_000;

/** Resolves by the system. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Dials; never rejects. */
export async function dial(egress: Egress, target: Target, resolve: Resolve): Promise<Dialled> {
  if (!mayReach(egress, target.host, target.port)) return { refused: 'host' };
  const signal = AbortSignal.timeout(connectMs);
  try {
    const found = parseAddress(target.host) ? [target.host] : await withClock(resolve(target.host), signal);
    const allowed = found.filter((text) => {
      const address = parseAddress(text);
      return address && mayDial(egress, { ...target, address });
    });
    if (allowed.length === 0) return { refused: 'address' };
    return { socket: await open(allowed, target.port, signal) };
  } catch (error) {
    if (signal.aborted) return { failed: `no answer in ${connectMs / 1000} s` };
    return { failed: error instanceof Error ? wordError(error) : String(error) };
  }
}

/** Connects to whichever address answers first, and to no other than these. */
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
  try {
    await once(socket, 'connect', { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  }
}

function withClock<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
  return Promise.race([work, late]);
}

function wordError(error: Error): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : error.message;
}
