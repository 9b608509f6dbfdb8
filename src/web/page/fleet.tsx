// The fleet, in the lines that `pawl fleet` prints.
import { useEffect, useState } from 'preact/hooks';
import { formatMs } from '../../report/text/figure.ts';
import type { FleetLook } from '../view.ts';
import { readFleet } from './connection.ts';
import { Lines } from './small.tsx';
import { now } from './store.ts';

const lookMs = 3_000;

export function FleetPage() {
  const [look, setLook] = useState<FleetLook & Readonly<{ at: number }>>();
  useEffect(() => {
    const ask = (): void => {
      if (document.hidden) return;
      void readFleet().then(
        (told) => setLook({ ...told, at: Date.now() }),
        // The bar says that the server is away; what was read stays.
        () => {},
      );
    };
    ask();
    const timer = setInterval(ask, lookMs);
    return () => clearInterval(timer);
  }, []);
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
