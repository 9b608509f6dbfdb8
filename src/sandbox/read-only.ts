// Programs that see a working tree and its git folders read-only, and all else as it is: for sessions that may change nothing.
// It keeps out haste, not a process of the same user that sets out to get around it.
import path from 'node:path';
import { findStartError } from '../process/program.ts';
import { neverStarted, type Spawn } from '../process/spawn.ts';

/** What is seen read-only. */
export type ReadOnlyTree = Readonly<{ root: string; gitDir: string; commonDir: string }>;

/** Starts programs in bubblewrap that see the tree read-only, but the folder they work in. */
export function readOnlySpawn(spawn: Spawn, bwrap: string, tree: ReadOnlyTree): Spawn {
  const folders = [...new Set([tree.root, tree.commonDir, tree.gitDir])];
  return (request) => {
    const home = request.env['HOME'] ?? '';
    // An agent keeps files of its own there, without which it cannot work.
    if (folders.some((folder) => isBelow(folder, home))) return spawn(request);
    const { file, args, cwd, env } = request;
    // Bubblewrap would start, and only then fail to find the program.
    const error = findStartError(file, cwd, env['PATH']);
    if (error) return neverStarted(Promise.resolve(error));
    const words = [...readOnlyArgs(folders), '--bind', cwd, cwd, '--chdir', cwd, '--', file, ...args];
    return spawn({ ...request, file: bwrap, args: words });
  };
}

/** Words of bubblewrap before the program; with no folder they ask whether it can do so here. */
export function readOnlyArgs(folders: readonly string[]): readonly string[] {
  // A mount may not be made writable again.
  const ground = ['--dev-bind', '/', '/', '--cap-drop', 'CAP_SYS_ADMIN'];
  return [...ground, ...folders.flatMap((folder) => ['--ro-bind', folder, folder])];
}

function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder + path.sep);
}
