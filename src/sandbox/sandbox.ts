// The interface of a sandbox: another place where agents and checks are started, seen and ended.

import type { Spawn, Spawned } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Mount } from './docker-args.ts';

/** A place in which programs run that cannot leave it. */
export interface Sandbox extends AsyncDisposable {
  /** Starts a program in it; no process on the host has its pid. */
  readonly spawn: Spawn;
  /** Sees and ends what runs in it, by pids of the same kind. */
  readonly sweep: Sweep;
  /** Prepares the place of the working tree, so that problems become a Failure before any session. */
  open(): Promise<void>;
}

/** What is visible of the host inside, made anew for each container; `dispose` removes what was made for it. */
export type Surroundings = Readonly<{ mounts: readonly Mount[]; dispose: () => void }>;

/** The working trees of a run: first its own, then those of the lanes that it has so far. */
export type Trees = () => readonly [string, ...string[]];

/** Makes the surroundings of programs that work in a folder. */
export type Surround = (workdir: string) => Promise<Surroundings>;

/** Stands for a program that is still to come; `pid` identifies it from the beginning. `program` never rejects. */
export function spawnDeferred(pid: number, program: Promise<Spawned>): Spawned {
  const whenStarted = (act: (program: Spawned) => void) => void program.then(act);
  return {
    pid,
    stdout: outputOf(program, 'stdout'),
    stderr: outputOf(program, 'stderr'),
    send: async (text) => (await program).send(text),
    closeInput: () => whenStarted((started) => started.closeInput()),
    signal: (signal) => whenStarted((started) => started.signal(signal)),
    ended: program.then(({ ended }) => ended),
  };
}

async function* outputOf(program: Promise<Spawned>, name: 'stdout' | 'stderr'): AsyncGenerator<Uint8Array> {
  yield* (await program)[name];
}
