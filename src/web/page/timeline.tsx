// The timeline: one row per task, its sessions and checks to scale, waits and pauses behind all rows.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatMoment, formatMs } from '../../report/text/figure.ts';
import type { Bar, Card } from '../view.ts';
import { type DrawnBar, listDrawn, stackBars } from './drawn-bars.ts';
import { Legend } from './small.tsx';
import { now, pathOf, tasks, wholeRun } from './store.ts';
import { useWindow } from './windowed.ts';

const rowHeight = 24;
const barHeight = 12;
const axisHeight = 22;
const mostHeight = 400;

/** The visible range: everything, or the last so many milliseconds. */
const zoom = signal<number | undefined>(undefined);
const zooms: readonly (readonly [string, number | undefined])[] = [
  ['All', undefined],
  ['Last hour', 3_600_000],
  ['Last 10 min', 600_000],
];

type Row = Readonly<{ id: string | undefined; label: string; bars: readonly Bar[] }>;

export function Timeline({ card }: { card: Card }) {
  const whole = wholeRun.value;
  if (!whole) return null;
  const all = tasks.value.filter(({ bars }) => bars.length > 0);
  const alone = whole.bars.filter(({ kind }) => kind === 'session' || kind === 'checks');
  const rows: readonly Row[] = [
    ...all.map(({ id, title, bars, isBeside }) => ({ id, label: isBeside ? title : `${id} ${title}`, bars })),
    ...stackBars(alone).map((bars, at) => ({ id: undefined, label: at === 0 ? 'the run itself' : '', bars })),
  ];
  if (rows.length === 0) return null;
  const end = card.isRunning ? now.value : Date.parse(whole.to);
  const begin =
    zoom.value === undefined ? Date.parse(whole.from) : Math.max(Date.parse(whole.from), end - zoom.value);
  const shown = rows.filter(({ bars }) => bars.some(({ to }) => to === undefined || Date.parse(to) >= begin));
  return (
    <section class="timeline" aria-label="Timeline">
      <header>
        <h2>Timeline</h2>
        <Legend keys={legend} />
        <div class="choice small">
          {zooms
            .filter(([, ms]) => ms === undefined || end - Date.parse(whole.from) > ms)
            .map(([label, ms]) => (
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
      </header>
      <Chart card={card} rows={shown} rests={whole.bars} begin={begin} end={Math.max(end, begin + 1000)} />
    </section>
  );
}

type ChartProps = Readonly<{
  card: Card;
  rows: readonly Row[];
  rests: readonly Bar[];
  begin: number;
  end: number;
}>;

/** The hours stay visible while the rows scroll below them; hidden rows are not drawn. */
function Chart({ card, rows, rests, begin, end }: ChartProps) {
  const { ref, value: width } = useWidth();
  const labelWidth = width < 560 ? 0 : Math.min(240, width * 0.28);
  const step = labelWidth === 0 ? rowHeight + 14 : rowHeight;
  const { from, to, onScroll } = useWindow(rows.length, step, mostHeight);
  const height = rows.length * step;
  const x = (at: number): number =>
    labelWidth + ((Math.min(end, Math.max(begin, at)) - begin) / (end - begin)) * (width - labelWidth - 4);
  const scale = { begin, end, x };
  const ticks = listTicks(begin, end, width - labelWidth);
  const atWork = rows.findLastIndex(({ bars }) => bars.some((bar) => bar.to === undefined));
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (atWork >= 0) scroller.current?.scrollTo({ top: (atWork + 2) * step - mostHeight });
  }, [atWork, step]);
  return (
    <div class="chart">
      <svg width={width} height={axisHeight} aria-hidden="true">
        {ticks.map((at) => (
          <Tick key={at} x={x(at)} width={width} text={labelTick(at, begin, end)} />
        ))}
      </svg>
      <div class="rows" ref={scroller} onScroll={onScroll} style={{ maxHeight: `${mostHeight}px` }}>
        <div ref={ref}>
          <svg width={width} height={height} role="img" aria-label={`Timeline of ${rows.length} rows`}>
            {ticks.map((at) => (
              <line key={at} x1={x(at)} x2={x(at)} y1={0} y2={height} class="grid" />
            ))}
            <Rests drawn={listDrawn(rests.filter(isRest), scale)} height={height} />
            {rows.slice(from, to).map((row, at) => (
              <g key={from + at} transform={`translate(0 ${(from + at) * step})`}>
                <text x={0} y={labelWidth === 0 ? 12 : 16} class="label">
                  {cut(row.label, labelWidth === 0 ? width / 7 : labelWidth / 7)}
                </text>
                <Bars
                  card={card}
                  row={row}
                  drawn={listDrawn(row.bars, scale)}
                  y={labelWidth === 0 ? 18 : 6}
                />
              </g>
            ))}
          </svg>
        </div>
      </div>
    </div>
  );
}

function Tick({ x, width, text }: { x: number; width: number; text: string }) {
  const anchor = x > width - 40 ? 'end' : x < 30 ? 'start' : 'middle';
  return (
    <text x={x} y={14} class="tick" text-anchor={anchor}>
      {text}
    </text>
  );
}

function Rests({ drawn, height }: { drawn: readonly DrawnBar[]; height: number }) {
  return (
    <>
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2" height="6" class="hatch" />
        </pattern>
      </defs>
      {drawn.map(({ bar, left, right, count }) => (
        <rect
          key={bar.kind + bar.from}
          x={left}
          y={0}
          width={right - left}
          height={height}
          class={`rest ${bar.kind}`}
        >
          <title>{tell(bar, count)}</title>
        </rect>
      ))}
    </>
  );
}

function isRest({ kind }: Bar): boolean {
  return kind === 'wait' || kind === 'pause' || kind === 'stop';
}

type BarsProps = Readonly<{ card: Card; row: Row; drawn: readonly DrawnBar[]; y: number }>;

function Bars({ card, row, drawn, y }: BarsProps) {
  return drawn.map(({ bar, left, right, count }) => {
    const session = bar.session === undefined ? undefined : String(bar.session);
    const path =
      row.id === undefined ? pathOf(card.id, 'activity', session) : pathOf(card.id, 'tasks', row.id);
    const inset = bar.kind === 'checks' ? 2 : 0;
    return (
      <a key={bar.kind + bar.from + session} href={path} aria-label={bar.says} tabIndex={-1}>
        <rect
          x={left}
          y={y + inset}
          width={right - left}
          height={barHeight - 2 * inset}
          rx={2}
          class={`bar ${bar.kind} ${bar.tone}${bar.to === undefined ? ' running' : ''}`}
        >
          <title>{tell(bar, count)}</title>
        </rect>
      </a>
    );
  });
}

const legend = [
  ['session', 'session'],
  ['checks good', 'checks green'],
  ['checks bad', 'red'],
  ['warn', 'red before the work, or cut off'],
  ['wait', 'wait or pause'],
] as const;

/** `count`: how many bars are drawn as this one. */
function tell({ says, from, to }: Bar, count: number): string {
  const span = to === undefined ? 'continues' : formatMs(Date.parse(to) - Date.parse(from));
  const others = count > 1 ? `\nand ${count - 1} more beside it, too close to be drawn` : '';
  return `${says}\n${formatMoment(Date.parse(from))}, ${span}${others}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

const steps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800,
];

/** Round instants, about 90 pixels apart. */
function listTicks(begin: number, end: number, width: number): readonly number[] {
  const wanted = (end - begin) / Math.max(2, width / 90) / 1000;
  const stepMs = (steps.find((step) => step >= wanted) ?? 604800) * 1000;
  const offset = new Date(begin).getTimezoneOffset() * 60_000;
  const first = Math.ceil((begin - offset) / stepMs) * stepMs + offset;
  return Array.from(
    { length: Math.max(0, Math.floor((end - first) / stepMs) + 1) },
    (_, n) => first + n * stepMs,
  );
}

function labelTick(at: number, begin: number, end: number): string {
  const moment = formatMoment(at);
  if (end - begin > 2 * 86_400_000) return moment.replace(/, .*/, '');
  const time = moment.slice(-5);
  return end - begin < 300_000 ? `${time}:${String(new Date(at).getSeconds()).padStart(2, '0')}` : time;
}

/** The width of an element, updated as it changes, once it is in the page. */
export function useWidth() {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [value, setValue] = useState(600);
  useEffect(() => {
    if (!element) return;
    const look = new ResizeObserver(() => setValue(Math.max(280, element.clientWidth)));
    look.observe(element);
    return () => look.disconnect();
  }, [element]);
  return { ref: setElement, value };
}
