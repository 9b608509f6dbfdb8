// Serializes a snapshot, so that a killed run can still undo what its session did.
import { Failure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import type { Snapshot } from './snapshot.ts';

/** Maps, buffers and undefined survive. */
export function writeSnapshot(snapshot: Snapshot, { root }: Pick<Repo, 'root'>): string {
  return JSON.stringify({ ...snapshot, root }, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (isTagged(value, 'data') && 'type' in value && value.type === 'Buffer')
      return { $bytes: Buffer.from(value.data as number[]).toString('base64') };
    return value;
  });
}

/**
 * Undefined if the repository has moved; text that is no snapshot throws Failure('disk'). The identity of `.git` is
 * dropped: a reboot may change it.
 */
export function parseSnapshot(text: string, repo: Pick<Repo, 'root'>): Snapshot | undefined {
  try {
    const { root, ...snapshot }: Snapshot & { root: string } = JSON.parse(text, (_, value) => {
      if (isTagged(value, '$map')) return new Map(value.$map as [string, unknown][]);
      if (isTagged(value, '$bytes')) return Buffer.from(value.$bytes as string, 'base64');
      return value;
    });
    if (root !== repo.root) return undefined;
    return { ...snapshot, guarded: { ...snapshot.guarded, identity: undefined } };
  } catch (cause) {
    throw new Failure('disk', 'the saved snapshot of the repository cannot be read', { cause });
  }
}

function isTagged<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}
