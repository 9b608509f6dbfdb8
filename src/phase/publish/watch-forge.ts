// Looks at a forge until there is something to see, the clock is over, or a person goes on.
import type { FactOf } from '../../event.ts';
import type { Place } from '../../place/place.ts';
import { sleepUntil } from '../../work/wait/wait.ts';

/** `until`: epoch milliseconds. */
type Watch = Pick<FactOf<'waiting'>, 'why' | 'until' | 'text'> & Readonly<{ everyMs: number }>;

/** Announced. Undefined if the last look, too, sees nothing, and if interrupted. */
export async function watchForge<T>(
  { run }: Pick<Place, 'run'>,
  { everyMs, ...wait }: Watch,
  look: (isLast: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const now = () => run.now().getTime();
  run.emit({ type: 'waiting', ...wait });
  // A person who continues takes the wait from the state.
  const isCut = () => run.state().waiting === undefined;
  let seen: T | undefined;
  for (let isLast = false; seen === undefined && !isLast && !run.signal.aborted; ) {
    isLast = now() >= wait.until || isCut();
    seen = await look(isLast);
    const until = Math.min(now() + everyMs, wait.until);
    if (seen === undefined && !isLast) await sleepUntil({ run }, { until, wakingMs: everyMs }, isCut);
  }
  run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  return run.signal.aborted ? undefined : seen;
}
