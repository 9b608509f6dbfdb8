// Pipes two connections into each other, including ends and resets.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Joins them, half-close for half-close; a reset of either resets the other. */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => resetConnection(to));
    from.on('close', () => {
      // Both its ways have ended then, or it was thrown away.
      if (!from.readableEnded || !from.writableFinished) resetConnection(to);
    });
  }
}

function resetConnection(connection: Duplex): void {
  if (connection.destroyed) return;
  if (connection instanceof Socket) connection.resetAndDestroy();
  else connection.destroy(new Error('the connection was reset'));
}
