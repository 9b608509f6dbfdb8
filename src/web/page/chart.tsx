// The time of a run across its list of tasks: in each row its sessions as hollow bars, and its checks as marks on them, told
// apart by shape. Positions are shares of the row's width.
import { signal } from '@preact/signals';
import { formatMoment, formatMs } from '../../report/text/figure.ts';
import type { Bar } from '../view.ts';
import { type DrawnBar, listDrawn } from './drawn-bars.ts';

/** The visible range, epoch milliseconds. */
export type Range = Readonly<{ begin: number; end: number }>;

/** Bars are merged as if a row had this many pixels. */
const nominalPx = 360;

/** The visible range: everything, or the last so many milliseconds. */
const zoom = signal<number | undefined>(undefined);
const zooms: readonly (readonly [string, number | undefined])[] = [
  ['All', undefined],
  ['Last hour', 3_600_000],
  ['Last 10 min', 600_000],
];

export function rangeOf(from: number, to: number): Range {
  const begin = zoom.value === undefined ? from : Math.max(from, to - zoom.value);
  return { begin, end: Math.max(to, begin + 1000) };
}

/** The hours above the rows, and how much of the time is shown. */
export function Axis({ range, from }: { range: Range; from: number }) {
  const choices = zooms.filter(([, ms]) => ms === undefined || range.end - from > ms);
  return (
    <>
      <div class="lane axis" aria-hidden="true">
        {listTicks(range)
          .filter((at) => shareOf(at, range) > 4 && shareOf(at, range) < 94)
          .map((at) => (
            <span key={at} class="tick" style={{ left: `${shareOf(at, range)}%` }}>
              {labelTick(at, range)}
            </span>
          ))}
      </div>
      <div class="choice small">
        {choices.map(([label, ms]) => (
          <button
            type="button"
            key={label}
            aria-pressed={zoom.value === ms}
            onClick={() => (zoom.value = ms)}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

/** One row. `rests`: waits, pauses and stops of the whole run, behind it. */
export function Lane({ bars, rests, range }: { bars: readonly Bar[]; rests: readonly Bar[]; range: Range }) {
  const { begin, end } = range;
  const scale = { begin, end, x: (at: number) => (shareOf(at, range) / 100) * nominalPx };
  const drawn = (kind: (bar: Bar) => boolean): readonly DrawnBar[] => listDrawn(bars.filter(kind), scale);
  return (
    <div class="lane">
      {listDrawn(rests, scale).map(({ bar, left, right }) => (
        <span key={bar.from} class={`rest ${bar.kind}`} style={place(left, right)} title={tell(bar, 1)} />
      ))}
      {drawn(({ kind }) => kind === 'session').map(({ bar, left, right, count }) => (
        <span
          key={bar.from + bar.session}
          class={`bar ${bar.tone}${bar.to === undefined ? ' running' : ''}`}
          style={place(left, right)}
          title={tell(bar, count)}
        />
      ))}
      {drawn(({ kind }) => kind === 'checks').map(({ bar, right, count }) => (
        <span
          key={bar.from}
          class={`mark ${bar.tone}`}
          style={{ left: `${(right / nominalPx) * 100}%` }}
          title={tell(bar, count)}
        >
          {marks[bar.tone]}
        </span>
      ))}
    </div>
  );
}

const marks: Readonly<Record<Bar['tone'], string>> = { good: '✓', bad: '✗', warn: '✗', plain: '·' };

function place(left: number, right: number) {
  return { left: `${(left / nominalPx) * 100}%`, width: `${((right - left) / nominalPx) * 100}%` };
}

function shareOf(at: number, { begin, end }: Range): number {
  return ((Math.min(end, Math.max(begin, at)) - begin) / (end - begin)) * 100;
}

/** `count`: how many bars are drawn as this one. */
function tell({ says, from, to }: Bar, count: number): string {
  const span = to === undefined ? 'continues' : formatMs(Date.parse(to) - Date.parse(from));
  const others = count > 1 ? `\nand ${count - 1} more beside it, too close to be drawn` : '';
  return `${says}\n${formatMoment(Date.parse(from))}, ${span}${others}`;
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800,
];

/** Round instants, at most five. */
function listTicks({ begin, end }: Range): readonly number[] {
  const wanted = (end - begin) / 4 / 1000;
  const stepMs = (steps.find((step) => step >= wanted) ?? 604800) * 1000;
  const offset = new Date(begin).getTimezoneOffset() * 60_000;
  const first = Math.ceil((begin - offset) / stepMs) * stepMs + offset;
  return Array.from(
    { length: Math.max(0, Math.floor((end - first) / stepMs) + 1) },
    (_, n) => first + n * stepMs,
  );
}

function labelTick(at: number, { begin, end }: Range): string {
  const moment = formatMoment(at);
  if (end - begin > 2 * 86_400_000) return moment.replace(/, .*/, '');
  const time = moment.slice(-5);
  return end - begin < 300_000 ? `${time}:${String(new Date(at).getSeconds()).padStart(2, '0')}` : time;
}
