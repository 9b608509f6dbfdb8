// Where a run's control socket is: a folder only this user can enter, a path short enough for a socket.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../disk.ts';

/** With its final zero, 108 bytes on Linux, 104 on macOS. */
const mostBytes = 103;

export type SocketSurroundings = Readonly<{
  /** `$XDG_RUNTIME_DIR/pawl`, if any. */
  runtime: string | undefined;
  /** Folders for temporary files, in order of preference. */
  temporary: readonly string[];
  uid: number | undefined;
  host: string;
}>;

/**
 * Of the pawl that holds the working tree of `gitDir`; makes its folder. Undefined if none is safe and short enough.
 */
export function findSocketPath(gitDir: string, around: SocketSurroundings): string | undefined {
  const name = `${createHash('sha256').update(`${around.host}\0${gitDir}`).digest('hex').slice(0, 16)}.sock`;
  const own = around.temporary.map((folder) => path.join(folder, `pawl-${around.uid ?? 'user'}`));
  return [...(around.runtime === undefined ? [] : [around.runtime]), ...own]
    .map((folder) => path.join(folder, name))
    .find((file) => Buffer.byteLength(file) <= mostBytes && isOwnFolder(path.dirname(file), around.uid));
}

/** Makes it if necessary; false if it is not private: another could answer in pawl's place. */
function isOwnFolder(folder: string, uid: number | undefined): boolean {
  try {
    makeFolder(folder, 0o700);
    const stat = lstatSync(folder);
    return stat.isDirectory() && (uid === undefined || (stat.uid === uid && (stat.mode & 0o077) === 0));
  } catch {
    return false;
  }
}
