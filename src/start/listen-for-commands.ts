// The server side of the control socket.
import os from 'node:os';
import { type ControlSocket, listenAt } from '../control/socket.ts';
import { findSocketPath } from '../control/socket-path.ts';
import { answerRequest } from '../phase/steer/apply-command.ts';
import type { Place } from '../place/place.ts';
import type { CliContext } from './context.ts';

/** The socket's path, by the tree's `gitDir` (a dialogue has another); undefined if no folder is this user's alone. */
export function placeSocket({ folders, uid }: CliContext, gitDir: string): string | undefined {
  return findSocketPath(gitDir, {
    runtime: folders.runtime,
    temporary: [os.tmpdir(), '/tmp'],
    uid,
    host: os.hostname(),
  });
}

/** A run that cannot be reached continues, and says so. */
export async function listenForCommands(
  context: CliContext,
  place: Place,
  path: string | undefined,
): Promise<ControlSocket | undefined> {
  const { interrupt } = context;
  const socket =
    path === undefined
      ? undefined
      : await listenAt(path, (line) => answerRequest(place, line, { interrupt })).catch(() => undefined);
  if (socket === undefined) {
    const text =
      'pawl could not create a control socket: `pawl pause`, `steer` and the like cannot reach this run';
    place.run.emit({ type: 'noticed', code: 'control', text });
  }
  return socket;
}
