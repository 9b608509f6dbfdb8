// What formats an event, and what earlier events contribute to it.
import type { FactName, FactOf, OfLane } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import type { Line } from '../text/line.ts';

export type RenderContext = Readonly<{
  verbose: boolean;
  /** Folder of all runs, for the reader. Default `.git/pawl/runs`. */
  runs?: string;
  state?: RunState | undefined;
  /** Not shown yet, by lane; 0: in the run's own tree. */
  green?: ReadonlyMap<number, readonly FactOf<'check-ended'>[]>;
}>;

export function findSession({ state }: RenderContext, session: number) {
  return state?.sessions.get(session)?.started;
}

export function nameRunFile({ state, runs = '.git/pawl/runs' }: RenderContext, file: string): string {
  const run = state?.started.run;
  return run === undefined ? `${file} in the run folder` : `${runs}/${run}/${file}`;
}

/** A fact’s words: mostly one line. */
export type Told = Line | readonly Line[];

export type FormatOf<F> = (fact: F & OfLane, context: RenderContext) => Told;

/** A fact that is not here is told only with `verbose`, by its name and fields. */
export type Formats = Readonly<{ [N in FactName]?: FormatOf<FactOf<N>> }>;
