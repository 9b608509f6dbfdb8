// The main process inside a sandbox without a network: listens on loopback and carries each connection over stdin and stdout
// (or --socket) to pawl, until its input ends. Runs on Node 18 and later. Usage: tunnel.mjs [--socket PATH] PORT… [-- COMMAND
// ARG…]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { constants } from 'node:os';
import process from 'node:process';
import { joinConnections } from './join.ts';
import { createMux, type Mux, type Wire } from './mux.ts';

function fail(message: string): never {
  process.stderr.write(`pawl tunnel: ${message}\n`);
  process.exit(1);
}

function listen(mux: Mux, port: number, address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      joinConnections(socket, mux.open(port)),
    );
    server.once('error', reject);
    server.listen(port, address, () => resolve(server));
  });
}

/** The first is the way out, without which there is nothing; one more may be taken, or not be for such a user. */
async function listenAll(mux: Mux, ports: readonly number[]): Promise<void> {
  for (const [at, port] of ports.entries()) {
    await listen(mux, port, '127.0.0.1').catch((error: Error) => {
      if (at === 0) throw error;
      process.stderr.write(
        `pawl tunnel: what listens on port ${port} outside is not here: ${error.message}\n`,
      );
    });
    // Some take localhost for this one first; where there is no IPv6, nobody does.
    await listen(mux, port, '::1').catch(() => {});
  }
}

/** Runs the command beside the tunnel, with the tunnel's own stdio, and ends as it does. */
function accompany([file = '', ...args]: readonly string[]): void {
  // Who signals the command signals it alone; what is meant for all here ends this one with its sandbox.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => {});
  const child = spawn(file, args, { stdio: 'inherit' });
  child.once('error', (error: NodeJS.ErrnoException) => {
    process.stderr.write(`pawl tunnel: ${error.message}\n`);
    process.exit(error.code === 'ENOENT' ? 127 : 126);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

/** A wire to pawl: its stdio, or a socket. */
async function wireTo(socketPath: string | undefined): Promise<Wire> {
  const socket = socketPath === undefined ? undefined : connect(socketPath);
  if (socket) await once(socket, 'connect');
  const out = socket ?? process.stdout;
  out.on('error', () => (socket ? undefined : process.exit(1)));
  return {
    stdout: socket ?? process.stdin,
    send: (bytes) => new Promise((resolve) => out.write(bytes, (error) => resolve(!error))),
  };
}

const words = process.argv.slice(2);
const socketPath = words[0] === '--socket' ? words.splice(0, 2)[1] : undefined;
const at = words.indexOf('--');
const command = at < 0 ? [] : words.splice(at).slice(1);
const ports = words.map(Number);
if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
  fail(`${words.join(' ') || 'nothing'} is no list of ports`);

try {
  const mux = createMux({ wire: await wireTo(socketPath) });
  // A command goes on without its way out; without one there is nothing to go on for.
  if (command.length === 0) void mux.ended.then((error) => (error ? fail(error.message) : process.exit(0)));
  await listenAll(mux, ports);
  mux.greet();
  if (command.length > 0) accompany(command);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
