// How an agent that does not end by itself is brought down: interrupt, then TERM with some time for its own children,
// then KILL.
import type { Spawned } from '../process/spawn.ts';

/** KILL cannot be refused, but a process in the kernel may take its time; after this pawl goes on without it. */
const killedMs = 5_000;

/** Brings a process down; false when it would not even be killed. `interrupt`: the line that stops its work, if it takes one. */
export async function bringDown(
  spawned: Spawned,
  interrupt: string | undefined,
  waits: Readonly<{ interruptMs: number; termMs: number }>,
): Promise<boolean> {
  if (interrupt !== undefined) {
    void spawned.send(interrupt);
    // It winds up what the interrupt left, then ends at the end of its input.
    spawned.closeInput();
    if (await settlesWithin(spawned.ended, waits.interruptMs)) return true;
  }
  spawned.signal('SIGTERM');
  // A stopped process takes the TERM only once it goes on.
  spawned.signal('SIGCONT');
  if (await settlesWithin(spawned.ended, waits.termMs)) return true;
  spawned.signal('SIGKILL');
  return settlesWithin(spawned.ended, killedMs);
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
