// Pipes two connections into each other, including ends and resets.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

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
