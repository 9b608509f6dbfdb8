// A program of its own, the main process inside a sandbox without a network: it listens on the inside's loopback and
// carries each connection over its stdin and stdout, to pawl. It decides nothing, and ends when its input does: when pawl
// has died. It runs on whatever Node an image has, from 18 on. Usage: tunnel.mjs PORT…
import { createServer, type Server } from 'node:net';
import process from 'node:process';
import { joinConnections } from './join.ts';
import { createMux, type Mux } from './mux.ts';

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

async function listenAll(mux: Mux, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    await listen(mux, port, '127.0.0.1');
    // Some take localhost for this one first; where there is no IPv6, nobody does.
    await listen(mux, port, '::1').catch(() => {});
  }
}

const ports = process.argv.slice(2).map(Number);
if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
  fail(`${process.argv.slice(2).join(' ') || 'nothing'} is no list of ports`);

process.stdout.on('error', () => process.exit(1));
const mux = createMux({
  wire: {
    stdout: process.stdin,
    send: (bytes) => new Promise((resolve) => process.stdout.write(bytes, (error) => resolve(!error))),
  },
});
void mux.ended.then((error) => (error ? fail(error.message) : process.exit(0)));
try {
  await listenAll(mux, ports);
  mux.greet();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
