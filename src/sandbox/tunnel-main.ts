// The main process inside a sandbox: supervises a container's processes, and carries loopback connections to pawl as HTTP/2 streams over its stdio (or
// descriptor 3, beside a command), until its input ends. For Node 18 and later. Usage: tunnel.mjs PORT… [-- COMMAND ARG…]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { createServer, Socket } from 'node:net';
import { constants } from 'node:os';
import process from 'node:process';
import type { Duplex } from 'node:stream';
import { supervise } from './supervise.ts';
import { joinConnections, supervisorPort, wireTo } from './wire.ts';

/** Under way to a connection that is not read. */
const windowBytes = 1024 * 1024;

function fail(message: string): never {
  process.stderr.write(`pawl tunnel: ${message}\n`);
  process.exit(1);
}

type OnConnection = (socket: Socket, port: number) => void;

async function listen(onConnection: OnConnection, port: number, address: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => onConnection(socket, port));
  server.on('error', () => {});
  await once(server.listen(port, address), 'listening');
}

/** The first port is the way out; others may be taken or not permitted. */
async function listenAll(onConnection: OnConnection, ports: readonly number[]): Promise<void> {
  for (const [at, port] of ports.entries()) {
    await listen(onConnection, port, '127.0.0.1').catch((error: Error) => {
      if (at === 0) throw error;
      process.stderr.write(
        `pawl tunnel: what listens on port ${port} outside is not here: ${error.message}\n`,
      );
    });
    // Some resolve localhost to it first; without IPv6, none does.
    await listen(onConnection, port, '::1').catch(() => {});
  }
}

/** Runs it on the tunnel's own stdio; the tunnel exits as it does. */
function accompany([file = '', ...args]: readonly string[]): void {
  // A signal for the command goes to it alone; one for everything ends this process with its sandbox.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {});
  const child = spawn(file, args, { stdio: 'inherit' });
  child.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`pawl tunnel: ${error.message}\n`);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

/** The stdio is the command's, if there is one. */
function openWire(isBeside: boolean): Duplex {
  if (isBeside) return new Socket({ fd: 3 });
  const send = (bytes: Uint8Array) =>
    new Promise<boolean>((resolve) => process.stdout.write(bytes, (error) => resolve(!error)));
  process.stdout.on('error', () => {});
  return wireTo({ stdout: process.stdin, send });
}

/** pawl's first bytes show HTTP/2; ours, that the ports are listening. */
function speakOver(wire: Duplex): ClientHttp2Session {
  const settings = { initialWindowSize: windowBytes, enablePush: false };
  const session = connectHttp2('http://localhost', { createConnection: () => wire, settings });
  session.once('connect', () => session.setLocalWindowSize(4 * windowBytes));
  return session;
}

const words = process.argv.slice(2);
const at = words.indexOf('--');
const command = at < 0 ? [] : words.splice(at).slice(1);
const ports = words.map(Number);

try {
  const wire = openWire(command.length > 0);
  let session: ClientHttp2Session | undefined;
  await listenAll((socket, port) => {
    // Nobody connects before there is a session: programs start after pawl has heard from it. `i`: interleaved, a
    // long response holds up no other (RFC 9218).
    const request = { ':method': 'CONNECT', ':authority': `localhost:${port}`, priority: 'u=3, i' };
    const stream = session?.request(request);
    if (stream) joinConnections(socket, stream);
    else socket.resetAndDestroy();
  }, ports);
  session = speakOver(wire);
  let problem: Error | undefined;
  session.on('error', (error) => {
    problem = error;
  });
  // A command continues without its way out.
  if (command.length > 0) accompany(command);
  else {
    supervise(
      session.request({ ':method': 'CONNECT', ':authority': `localhost:${supervisorPort}` }),
      process.env['PATH'],
    );
    session.once('close', () => (problem ? fail(problem.message) : process.exit(0)));
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
