// pawl's end of a sandbox's tunnel: accepts the connections made inside, over the stdio of tunnel-main.ts. The proxy decides
// who may connect where.
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createMux, type Wire } from './mux.ts';

/** Port on the inside's loopback where the proxy seems to listen. */
export const proxyPort = 3128;

/** The way out, while it lasts. */
export interface Tunnel {
  /** Settles when the inside listens: true; false when it ended before. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Settles when it is over, with the reason when the inside broke the rules. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Ends every connection. The main process inside ends when its input is closed. */
  close(): void;
}

/**
 * Takes the connections of a running `tunnel-main` (a `Spawned` is such a wire): `onConnection` gets each with the port it
 * was made to inside.
 */
export function serveTunnel(wire: Wire, onConnection: (connection: Duplex, port: number) => void): Tunnel {
  const mux = createMux({ wire, onStream: onConnection });
  return { ready: mux.ready, ended: mux.ended, close: () => mux.close() };
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
