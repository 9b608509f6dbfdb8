// A plot over runs: a bar for each, stacked if it has parts.
import type { StatsView } from '../view.ts';
import { Legend } from './small.tsx';
import { useWidth } from './timeline.tsx';

type Stats = StatsView['runs'][number];

/** What a run can be doing, in stacking order. */
export const doings = ['working', 'checking', 'own', 'waiting', 'paused', 'stopped'] as const;
/** The same in words. */
export const doingWords: Readonly<Record<(typeof doings)[number], string>> = {
  working: 'sessions',
  checking: 'checks',
  own: 'pawl itself',
  waiting: 'waits',
  paused: 'pauses',
  stopped: 'stopped',
};

type PlotProps = Readonly<{
  title: string;
  runs: readonly Stats[];
  stack: (run: Stats) => readonly Readonly<{ name: string; value: number }>[];
  tell: (run: Stats) => string;
  top: (value: number) => string;
  /** Classes and what they mean. */
  legend?: readonly (readonly [string, string])[];
}>;

/** The day a run began: its name starts with it. */
function dayOf({ run }: Stats): string {
  return run.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
}

/** Bars of all runs, oldest first. */
export function Plot({ title, runs, stack, tell, top, legend }: PlotProps) {
  const width = useWidth();
  const height = 140;
  const most = Math.max(...runs.map((run) => stack(run).reduce((sum, { value }) => sum + value, 0)), 1e-9);
  const step = Math.min(48, (width.value - 70) / runs.length);
  return (
    <section class="plot">
      <h3>{title}</h3>
      <div ref={width.ref}>
        <svg width={width.value} height={height + 28} role="img" aria-label={title}>
          {[0, 0.5, 1].map((share) => (
            <g key={share} transform={`translate(0 ${8 + height * (1 - share)})`}>
              <line x1={64} x2={width.value} y1={-0.5} y2={-0.5} class="grid" />
              <text x={58} y={3} text-anchor="end" class="tick">
                {share === 0 ? '0' : top(most * share)}
              </text>
            </g>
          ))}
          {runs.map((run, at) => (
            <g key={run.run} transform={`translate(${66 + at * step} ${8 + height})`}>
              <Stack
                parts={stack(run)}
                width={Math.max(2, step - 4)}
                scale={height / most}
                says={`${run.title}\n${tell(run)}`}
              />
            </g>
          ))}
          <g transform={`translate(66 ${height + 24})`}>
            <Days runs={runs} width={runs.length * step - 4} />
          </g>
        </svg>
      </div>
      {legend ? <Legend keys={legend.map(([name, word]) => [`fill-${name}`, word])} /> : null}
    </section>
  );
}

type StackProps = Readonly<{
  parts: ReturnType<PlotProps['stack']>;
  width: number;
  /** Pixels per unit of the value. */
  scale: number;
  says: string;
}>;

/** The parts of one run, from the bottom up. */
function Stack({ parts, width, scale, says }: StackProps) {
  let y = 0;
  return parts.map(({ name, value }) => {
    const height = value * scale;
    y -= height;
    return (
      <rect key={name} y={y} width={width} height={height} class={`fill-${name}`}>
        <title>{says}</title>
      </rect>
    );
  });
}

/** The days of the first run and of the last. */
function Days({ runs, width }: { runs: readonly Stats[]; width: number }) {
  const [first = '', ...others] = runs.map(dayOf);
  const last = others.at(-1);
  return (
    <>
      <text class="tick">{first}</text>
      {last === undefined || last === first ? null : (
        <text x={width} class="tick" text-anchor="end">
          {last}
        </text>
      )}
    </>
  );
}
