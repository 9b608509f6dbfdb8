// Serializes a snapshot, so that a run killed during a session can still undo what the session did.
import { Failure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot as JSON; maps, buffers and undefined survive. Records where the repository is. */
export function writeSnapshot(snapshot: Snapshot, { root }: Pick<Repo, 'root'>): string {
  return JSON.stringify({ ...snapshot, root }, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (isTagged(value, 'data') && 'type' in value && value.type === 'Buffer')
      return { $bytes: Buffer.from(value.data as number[]).toString('base64') };
    return value;
  });
}

/**
 * Parses it; undefined if the repository has been moved since, for its paths are those of before. Other text throws
 * Failure('disk'). The identity of `.git` is dropped: device and inode numbers may change with a reboot.
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
