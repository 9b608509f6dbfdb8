// Ends one program: TERM and CONT to its group, a grace period, KILL. Not by execa's forceKillAfterDelay: sandboxed
// programs are not pawl's children, a stopped one receives TERM only after CONT, and only waking time counts.
import { startClock } from './clock.ts';
import type { Spawned } from './spawn.ts';

/** KILL may not reach a process in the kernel, or another user's. */
const killedMs = 5_000;

/** False if it lives on after KILL. `graceMs`: from TERM to KILL. */
export async function terminate(
  program: Pick<Spawned, 'signal' | 'ended'>,
  graceMs: number,
): Promise<boolean> {
  program.signal('SIGTERM');
  program.signal('SIGCONT');
  if (await endsWithin(program, graceMs)) return true;
  program.signal('SIGKILL');
  return endsWithin(program, killedMs);
}

/** False if the time passed first. */
export function endsWithin({ ended }: Pick<Spawned, 'ended'>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const clock = startClock(ms, () => resolve(false));
    void ended.then(() => {
      clock.stop();
      resolve(true);
    });
  });
}
