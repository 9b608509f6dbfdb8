// A plot over runs: a bar for each, stacked where it has parts.
import type { StatsView } from '../view.ts';
import { useWidth } from './timeline.tsx';

type Stats = StatsView['runs'][number];

/** What a run can be doing, in the order of the stacks. */
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
  legend?: readonly (typeof doings)[number][];
}>;

/** Bars of all runs, the oldest first. */
export function Plot({ title, runs, stack, tell, top, legend }: PlotProps) {
  const width = useWidth();
  const height = 140;
  const most = Math.max(...runs.map((run) => stack(run).reduce((sum, { value }) => sum + value, 0)), 1e-9);
  const step = Math.min(48, (width.value - 70) / runs.length);
  return (
    <section class="plot">
      <h3>{title}</h3>
      <div ref={width.ref}>
        <svg width={width.value} height={height + 8} role="img" aria-label={title}>
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <line
                x1={64}
                x2={width.value}
                y1={8 + height * (1 - share) - 0.5}
                y2={8 + height * (1 - share) - 0.5}
                class="grid"
              />
              <text x={58} y={8 + height * (1 - share) + 3} text-anchor="end" class="tick">
                {share === 0 ? '0' : top(most * share)}
              </text>
            </g>
          ))}
          {runs.map((run, at) => {
            let y = 8 + height;
            return (
              <g key={run.run}>
                {stack(run).map(({ name, value }) => {
                  const high = (value / most) * height;
                  y -= high;
                  return (
                    <rect
                      key={name}
                      x={66 + at * step}
                      y={y}
                      width={Math.max(2, step - 4)}
                      height={high}
                      class={`fill-${name}`}
                    >
                      <title>{`${run.title}\n${tell(run)}`}</title>
                    </rect>
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      {legend ? (
        <p class="legend dim">
          {legend.map((name) => (
            <span key={name}>
              <span class={`key fill-${name}`} /> {doingWords[name]}{' '}
            </span>
          ))}
        </p>
      ) : null}
    </section>
  );
}
