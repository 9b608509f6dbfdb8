// The interface of a sandbox: a place where agents and checks are started, seen and ended.

import type { Spawn, Spawned } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Mount } from './docker-args.ts';

export interface Sandbox extends AsyncDisposable {
  /** No process of the host has its pids; `sweep` takes the same. */
  readonly spawn: Spawn;
  readonly sweep: Sweep;
  /** Prepares the working tree's place: a Failure comes before any session. */
  open(): Promise<void>;
}

/** What of the host is visible; `dispose` removes what was made for it. */
export type Surroundings = Readonly<{ mounts: readonly Mount[]; dispose: () => void }>;

/** The run's own, then its lanes' so far. */
export type Trees = () => readonly [string, ...string[]];

/** For programs in that folder. */
export type Surround = (workdir: string) => Promise<Surroundings>;

/** Stands for a program still to come, with its `pid`. `program` never rejects. */
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
