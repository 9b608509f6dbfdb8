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
  /** Classes and what they mean. */
  legend?: readonly (readonly [string, string])[];
}>;

/** The day a run began: its name starts with it. */
function dayOf({ run }: Stats): string {
  return run.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
}

/** Bars of all runs, the oldest first. */
export function Plot({ title, runs, stack, tell, top, legend }: PlotProps) {
  const width = useWidth();
  const height = 140;
  const most = Math.max(...runs.map((run) => stack(run).reduce((sum, { value }) => sum + value, 0)), 1e-9);
  const step = Math.min(48, (width.value - 70) / runs.length);
  const [first, last] = [runs[0], runs.at(-1)];
  return (
    <section class="plot">
      <h3>{title}</h3>
      <div ref={width.ref}>
        <svg width={width.value} height={height + 28} role="img" aria-label={title}>
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
          {first && last ? (
            <>
              <text x={66} y={height + 24} class="tick">
                {dayOf(first)}
              </text>
              {dayOf(first) === dayOf(last) ? null : (
                <text x={66 + runs.length * step - 4} y={height + 24} class="tick" text-anchor="end">
                  {dayOf(last)}
                </text>
              )}
            </>
          ) : null}
        </svg>
      </div>
      {legend ? (
        <p class="legend dim">
          {legend.map(([name, word]) => (
            <span key={name}>
              <span class={`key fill-${name}`} /> {word}{' '}
            </span>
          ))}
        </p>
      ) : null}
    </section>
  );
}
