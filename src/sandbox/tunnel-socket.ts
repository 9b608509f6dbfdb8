// A socket on this host for bubblewrap sandboxes: every connection to it is the connection of one tunnel.
import { createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { serveTunnel } from './tunnel.ts';

/** Programs that have a way out at the same time; whoever is inside can ask for more and more. */
const mostWires = 64;

/** Listens, and hands on each connection that is made inside, with the port it was made to. It keeps no process alive. */
export async function listenForWires(
  socket: string,
  onConnection: (connection: Duplex, port: number) => void,
): Promise<Server> {
  const server = createServer((wire) => {
    wire.on('error', () => {});
    serveTunnel(wire, onConnection);
  });
  server.maxConnections = mostWires;
  server.unref();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, () => resolve()));
  return server;
}
