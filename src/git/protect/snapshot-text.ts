// Serializes a snapshot, so that a run killed during a session can still undo what the session did.
import { isAtOrBelow } from '../../below.ts';
import { Failure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot as JSON; maps, buffers and undefined survive. Records where the repository is. */
export function writeSnapshot(snapshot: Snapshot, repo: Places): string {
  return JSON.stringify({ ...snapshot, places: placesOf(repo) }, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (isBuffer(value)) return { $bytes: Buffer.from(value.data).toString('base64') };
    return value;
  });
}

/**
 * Parses it for the place where the repository is now: it may have been moved. Other text throws Failure('disk'). The
 * identity of `.git` is dropped: device and inode numbers may change with a reboot.
 */
export function parseSnapshot(text: string, repo: Places): Snapshot {
  try {
    const { places = placesOf(repo), ...snapshot }: Snapshot & { places?: readonly string[] } = JSON.parse(
      text,
      (_, value) => {
        if (isTagged(value, '$map')) return new Map(value.$map as [string, unknown][]);
        if (isTagged(value, '$bytes')) return Buffer.from(value.$bytes as string, 'base64');
        return value;
      },
    );
    const move = mover(places, placesOf(repo));
    const { files, folders } = snapshot.guarded;
    const guarded = {
      ...snapshot.guarded,
      identity: undefined,
      files: files.map((watched) => ({ ...watched, file: move(watched.file) })),
      folders: new Map([...folders].map(([folder, kind]) => [move(folder), kind])),
    };
    return { ...snapshot, links: snapshot.links ?? new Map(), guarded };
  } catch (cause) {
    throw new Failure('disk', 'the saved snapshot of the repository cannot be read', { cause });
  }
}

type Places = Pick<Repo, 'root' | 'gitDir' | 'commonDir'>;

/** Innermost first: a git folder is usually inside the working tree, but may be elsewhere. */
function placesOf({ gitDir, commonDir, root }: Places): readonly string[] {
  return [gitDir, commonDir, root];
}

function mover(from: readonly string[], to: readonly string[]): (file: string) => string {
  return (file) => {
    const at = from.findIndex((folder) => isAtOrBelow(file, folder));
    return at < 0 ? file : `${to[at]}${file.slice(from[at]?.length)}`;
  };
}

/** A Buffer, as its own `toJSON` has converted it before the replacer sees it. */
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
