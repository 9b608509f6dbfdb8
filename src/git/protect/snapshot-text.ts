// Writes a snapshot as text and parses it, so that a run killed during a session can still undo what the session did.
import { isAtOrBelow } from '../../below.ts';
import { Failure } from '../../failure.ts';
import type { Repo } from '../run/repo.ts';
import type { Snapshot } from './snapshot.ts';

/** The snapshot as JSON; maps, buffers and undefined survive. Where the repository lies goes with it. */
export function writeSnapshot(snapshot: Snapshot, repo: Places): string {
  return JSON.stringify({ ...snapshot, places: placesOf(repo) }, (_, value: unknown) => {
    if (value instanceof Map) return { $map: [...value] };
    if (isBuffer(value)) return { $bytes: Buffer.from(value.data).toString('base64') };
    return value;
  });
}

/** Reads it back, for the place the repository lies at now: it may have been moved. Text that is none is Failure('disk'). Which folder `.git` was is not taken over: device and inode numbers may change with a reboot. */
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
    return { ...snapshot, guarded };
  } catch (cause) {
    throw new Failure('disk', 'the saved snapshot of the repository cannot be read', { cause });
  }
}

type Places = Pick<Repo, 'root' | 'gitDir' | 'commonDir'>;

/** The innermost first: a git folder mostly lies in the working tree, and may lie elsewhere. */
function placesOf({ gitDir, commonDir, root }: Places): readonly string[] {
  return [gitDir, commonDir, root];
}

function mover(from: readonly string[], to: readonly string[]): (file: string) => string {
  return (file) => {
    const at = from.findIndex((folder) => isAtOrBelow(file, folder));
    return at < 0 ? file : `${to[at]}${file.slice(from[at]?.length)}`;
  };
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
