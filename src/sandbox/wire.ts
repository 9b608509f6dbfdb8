// The bytes between pawl and the inside of a sandbox: two pipes as one stream for HTTP/2.
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Nobody can dial it inside: the stream to it carries what is asked of the supervisor. */
export const supervisorPort = 0;

/** As of a `Spawned`. `send` resolves once written: false if nobody reads any more. */
export type Pipes = Readonly<{
  stdout: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): Promise<boolean>;
}>;

/**
 * Closes at the end of either, and never has an error: one while writing fails an internal assertion of Node's HTTP/2
 * over what is no socket.
 */
export function wireTo({ stdout, send }: Pipes): Duplex {
  const output = stdout[Symbol.asyncIterator]();
  const wire = new Duplex({
    read: () => {
      void output.next().then(
        ({ value, done }) => (done ? wire.destroy() : wire.push(value)),
        () => wire.destroy(),
      );
    },
    write: (bytes: Uint8Array, _encoding, done) => {
      void send(bytes).then((isTaken) => (isTaken ? done() : wire.destroy()));
    },
  });
  return wire;
}

/** Passes on half-closes and resets. */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => resetConnection(to));
    from.on('close', () => {
      if (!from.readableEnded || !from.writableFinished) resetConnection(to);
    });
  }
}

function resetConnection(connection: Duplex): void {
  if (connection.destroyed) return;
  if (connection instanceof Socket) connection.resetAndDestroy();
  else connection.destroy(new Error('the connection was reset'));
}
