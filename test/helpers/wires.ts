// Wires for tests of streams: two ends in memory, and the tunnel's program as it runs inside a sandbox.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { serveTunnel, type Tunnel } from '../../src/sandbox/tunnel.ts';
import { supervisorPort, wireTo } from '../../src/sandbox/wire.ts';

/** Two ends that hear each other; `cut` ends both. */
export function makeWires(): Readonly<{ here: Duplex; there: Duplex; cut(): void }> {
  const [toHere, toThere] = [new PassThrough(), new PassThrough()];
  const sendInto = (out: PassThrough) => (bytes: Uint8Array) =>
    new Promise<boolean>((resolve) => out.write(bytes, (error) => resolve(!error)));
  return {
    here: wireTo({ stdout: toHere, send: sendInto(toThere) }),
    there: wireTo({ stdout: toThere, send: sendInto(toHere) }),
    cut: () => {
      toHere.end();
      toThere.end();
    },
  };
}

/** A port of loopback that nobody has just now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The tunnel's program, running, and pawl's end of it. `closeInput` is what the death of pawl does to it. */
export type RunningTunnel = AsyncDisposable &
  Readonly<{ port: number; tunnel: Tunnel; closeInput(): void; exited: Promise<number | null> }>;

const program = fileURLToPath(new URL('../../src/sandbox/tunnel-main.ts', import.meta.url));

/** Starts it on a free port; another one, should somebody take that in between. */
export async function startTunnel(
  onConnection: (connection: Duplex, port: number) => void,
  onSupervisor: (stream: Duplex) => void = () => {},
): Promise<RunningTunnel> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [program, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const send = (bytes: Uint8Array) =>
    new Promise<boolean>((resolve) => child.stdin.write(bytes, (error) => resolve(!error)));
  const supervised = Promise.withResolvers<void>();
  const tunnel = serveTunnel(wireTo({ stdout: child.stdout, send }), (connection, to) => {
    if (to !== supervisorPort) return onConnection(connection, to);
    supervised.resolve();
    onSupervisor(connection);
  });
  await Promise.race([supervised.promise, exited]);
  if (child.exitCode !== null) return startTunnel(onConnection, onSupervisor);
  return {
    port,
    tunnel,
    closeInput: () => child.stdin.end(),
    exited,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
