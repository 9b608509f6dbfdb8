// The bytes between pawl and the inside of a sandbox, of two pipes, as one stream over which HTTP/2 can be spoken.

import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * Two pipes; a `Spawned` is one pair. `send` resolves once the bytes are written: with false if nobody reads them any more.
 */
export type Pipes = Readonly<{
  stdout: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): Promise<boolean>;
}>;

/**
 * One stream of both. It closes at the end of either, and never has an error: Node's HTTP/2 over a stream that is not a
 * socket fails an internal assertion if it gets one while writing.
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

/** Joins them, passing on half-closes and resets. */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => resetConnection(to));
    from.on('close', () => {
      // By then both directions have ended, or it was destroyed.
      if (!from.readableEnded || !from.writableFinished) resetConnection(to);
    });
  }
}

function resetConnection(connection: Duplex): void {
  if (connection.destroyed) return;
  if (connection instanceof Socket) connection.resetAndDestroy();
  else connection.destroy(new Error('the connection was reset'));
}
