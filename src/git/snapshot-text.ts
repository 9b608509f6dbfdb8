// A snapshot as text and back, so that a run killed in the middle of a session can still put back what the session did.
import { Failure } from '../failure.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot as JSON; maps, buffers and undefined survive. */
export function writeSnapshot(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (isBuffer(value)) return { $bytes: Buffer.from(value.data).toString('base64') };
    return value;
  });
}

/** Reads it back; text that is none is Failure('disk'). Which folder `.git` was is not taken over: device and inode numbers may change with a reboot. */
export function parseSnapshot(text: string): Snapshot {
  try {
    const snapshot: Snapshot = JSON.parse(text, (_, value: unknown) => {
      if (isTagged(value, '$map')) return new Map(value.$map as [string, unknown][]);
      if (isTagged(value, '$bytes')) return Buffer.from(value.$bytes as string, 'base64');
      return value;
    });
    return { ...snapshot, guarded: { ...snapshot.guarded, identity: undefined } };
  } catch (cause) {
    throw new Failure('disk', 'the kept snapshot of the repository cannot be read', { cause });
  }
}

/** A Buffer as its own `toJSON` has made it before the replacer sees it. */
function isBuffer(value: unknown): value is { data: number[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'Buffer' &&
    'data' in value
  );
}

function isTagged<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
