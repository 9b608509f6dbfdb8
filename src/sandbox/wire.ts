// The bytes between pawl and the inside of a sandbox, of two pipes, as one stream over which HTTP/2 can be spoken.
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
