// The fleet, in the lines that `pawl fleet` prints.
import { formatMs } from '../../report/text/figure.ts';
import { readFleet, useRead } from './connection.ts';
import { Lines } from './small.tsx';
import { now } from './store.ts';

const lookMs = 3_000;

/** While the server is away, as the bar says, what was read stays. */
export function FleetPage() {
  const { value: look } = useRead(async () => ({ ...(await readFleet()), at: Date.now() }), [], lookMs);
  const { seen, away, at = 0 } = look ?? {};
  return (
    <div class="stack">
      <h1>Fleet</h1>
      {look ? null : <p class="dim">Asking the database …</p>}
      {away ? (
        <p class="tone warn" role="status">
          {away.why}. <span class="dim">{away.hint}</span>
        </p>
      ) : null}
      {seen ? (
        <>
          <p class="dim">as it was {formatMs(Math.max(1_000, seen.ageMs + now.value - at))} ago</p>
          <Lines list={seen.lines} />
        </>
      ) : null}
    </div>
  );
}
