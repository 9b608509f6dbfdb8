// A program that starts once its sandbox is ready, behind the interface of one that has started.
import type { Spawned } from '../process/spawn.ts';

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
