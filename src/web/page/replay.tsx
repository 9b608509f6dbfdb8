// A run as it was: its journal, folded up to the slider's instant.
import { useRef } from 'preact/hooks';
import { formatClock } from '../../report/text/figure.ts';
import type { Card } from '../view.ts';
import { readParts } from './connection.ts';
import { clock, replayed, wholeRun } from './store.ts';

/** How long the slider must rest before the run is read, milliseconds. */
const restMs = 120;

export function Replay({ card }: { card: Card }) {
  const timer = useRef(0);
  const whole = wholeRun.value;
  const span = useRef<readonly [number, number]>([0, 0]);
  if (!whole) return null;
  // The replayed run ends where it is looked at; the slider keeps the whole.
  if (!replayed.value)
    span.current = [Date.parse(whole.from), card.isRunning ? clock.value : Date.parse(whole.to)];
  const [from, to] = span.current;
  const show = (at: number): void => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(async () => {
      const parts = await readParts(card.id, new Date(at).toISOString()).catch(() => undefined);
      if (parts) replayed.value = { at, parts: new Map(Object.entries(parts)) };
    }, restMs);
  };
  return (
    <div class="replay line">
      <label class="line">
        <span class="dim">replay</span>
        <input
          type="range"
          min={from}
          max={to}
          step={Math.max(1, Math.round((to - from) / 500))}
          value={replayed.value?.at ?? to}
          onInput={({ currentTarget }) => show(Number(currentTarget.value))}
        />
      </label>
      {replayed.value ? (
        <>
          <span class="figure">{formatClock(new Date(replayed.value.at).toISOString())}</span>
          <button type="button" onClick={() => (replayed.value = undefined)}>
            {card.isRunning ? 'Now' : 'The end'}
          </button>
        </>
      ) : null}
    </div>
  );
}
