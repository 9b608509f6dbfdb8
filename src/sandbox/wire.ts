// The bytes between pawl and the inside of a sandbox, of two pipes, as one stream that HTTP/2 can be spoken over.
import { Duplex } from 'node:stream';

/** Two ends of bytes; a `Spawned` is one. `send` settles once they are written: false when nobody takes them any longer. */
export type Pipes = Readonly<{
  stdout: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): Promise<boolean>;
}>;

/**
 * One stream of both. It is closed at the end of either, and never has an error: Node's HTTP/2 over a stream that is no
 * socket fails an assertion of its own when it gets one while it writes.
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
