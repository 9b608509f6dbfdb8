// Programs that see a working tree and its git folders read-only, for sessions that may change nothing. This stops
// haste, not a determined process.
import { constants } from 'node:os';
import { findStartError } from '../process/find-program.ts';
import {
  neverStarted,
  type ProcessExit,
  type Spawn,
  type Spawned,
  type SpawnRequest,
} from '../process/spawn.ts';
import { type Mark, markOf, type Sweep } from '../process/sweep.ts';
import { signalSeen } from './sandbox.ts';

export type ReadOnlyTree = Readonly<{ root: string; gitDir: string; commonDir: string }>;

/** The folder they work in stays writable. */
export function readOnlySpawn(
  host: Readonly<{ spawn: Spawn; sweep: Sweep }>,
  bwrap: string,
  tree: ReadOnlyTree,
): Spawn {
  return (request) => {
    const { file, cwd, env } = request;
    // Bubblewrap would start, and fail only then.
    const error = findStartError(file, cwd, env['PATH']);
    if (error) return neverStarted(Promise.resolve(error));
    const wall = host.spawn({ ...request, file: bwrap, args: readOnlyArgs(tree, request) });
    return {
      ...wall,
      signal: signalInside(wall, markOf(env), host.sweep),
      ended: wall.ended.then(withSignal),
    };
  };
}

export function readOnlyArgs(
  tree: ReadOnlyTree,
  { file, args, cwd }: Pick<SpawnRequest, 'file' | 'args' | 'cwd'>,
): readonly string[] {
  return [
    // Else it could make a mount writable again.
    ...['--dev-bind', '/', '/', '--cap-drop', 'CAP_SYS_ADMIN'],
    ...foldersOf(tree).flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--bind', cwd, cwd, '--chdir', cwd, '--', file, ...args],
  ];
}

export function foldersOf({ root, commonDir, gitDir }: ReadOnlyTree): readonly string[] {
  return [...new Set([root, commonDir, gitDir])];
}

/** Bubblewrap reports death by a signal as 128 plus its number. */
function withSignal(end: ProcessExit): ProcessExit {
  const number = (end.code ?? 0) - 128;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name === undefined ? end : { code: null, signal: name as NodeJS.Signals };
}

/** KILL ends the wall too; other signals reach only what is inside. */
export function signalInside(wall: Spawned, mark: Mark, sweep: Sweep): Spawned['signal'] {
  const find = async () =>
    (await sweep.find(mark, wall.pid)).filter(({ isRoot, command }) => !isRoot && !isWall(command));
  const send = signalSeen(wall.ended, { find, signal: sweep.signal });
  return (name) => {
    if (name === 'SIGKILL' || wall.pid === undefined) wall.signal(name);
    else void send(name);
  };
}

function isWall(command: string): boolean {
  return /^(?:\S*\/)?bwrap\s/.test(command);
}
