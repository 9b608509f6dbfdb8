// The bytes between pawl and the inside of a sandbox, of two pipes, as one stream for HTTP/2.

import { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A `Spawned` is one pair. `send` resolves once written: with false if nobody reads any more. */
export type Pipes = Readonly<{
  stdout: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): Promise<boolean>;
}>;

/**
 * Closes at the end of either, and never has an error: one while writing makes Node's HTTP/2 over a stream that is no
 * socket fail an internal assertion.
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
