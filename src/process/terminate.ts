// How one running program is brought to its end: TERM and CONT to its group, a grace, KILL. Whom else it left running is
// the sweep's business. Not execa's forceKillAfterDelay: a program in a sandbox is no child of pawl's, a stopped one takes
// the TERM only once it goes on, and a grace counts waking time.
import { startClock } from './clock.ts';
import type { Spawned } from './spawn.ts';

/** How long KILL may take: it cannot be refused, but a process in the kernel may not take it, nor one of another user. */
export const killedMs = 5_000;

/** Ends a program; false when it lives on after KILL. `graceMs`: from TERM to KILL. */
export async function terminate(
  program: Pick<Spawned, 'signal' | 'ended'>,
  { graceMs }: Readonly<{ graceMs: number }>,
): Promise<boolean> {
  program.signal('SIGTERM');
  program.signal('SIGCONT');
  if (await endsWithin(program, graceMs)) return true;
  program.signal('SIGKILL');
  return endsWithin(program, killedMs);
}

/** Waits for a program's end; false when the time passed first. */
export function endsWithin({ ended }: Pick<Spawned, 'ended'>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const clock = startClock(ms, () => resolve(false));
    void ended.then(() => {
      clock.stop();
      resolve(true);
    });
  });
}
