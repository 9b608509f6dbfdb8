// What formats an event, and what earlier events contribute to it.
import type { Event, FactName, FactOf, OfLane } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';
import type { Line } from '../text/line.ts';
import { isInSeries } from './format-check.ts';

export type RenderContext = Readonly<{
  verbose: boolean;
  /** Folder of all runs, for the reader. Default `.git/pawl/runs`. */
  runs?: string;
  state?: RunState | undefined;
  /** Not shown yet, by lane; 0: in the run's own tree. */
  green?: ReadonlyMap<number, readonly FactOf<'check-ended'>[]>;
}>;

/** Green checks wait until something else happens in their lane. */
export function foldContext(context: RenderContext, event: Event & OfLane): RenderContext {
  const { lane = 0 } = event;
  const waiting = context.green?.get(lane) ?? [];
  const left = event.type === 'run-ended' || endsSeries(context, event) ? [] : waiting;
  const now = event.type === 'check-ended' && isInSeries(event) ? [...left, event] : left;
  if (now.length === waiting.length && now === left) return context;
  return { ...context, green: new Map(context.green).set(lane, now) };
}

export function findGreen(context: RenderContext, event: Event & OfLane): readonly FactOf<'check-ended'>[] {
  return endsSeries(context, event) ? (context.green?.get(event.lane ?? 0) ?? []) : [];
}

function endsSeries({ green }: RenderContext, event: Event & OfLane): boolean {
  const first = green?.get(event.lane ?? 0)?.[0];
  if (first === undefined || event.type === 'activity') return false;
  if (event.type === 'check-started' || event.type === 'check-ended')
    return event.when !== first.when || (event.type === 'check-ended' && !isInSeries(event));
  return true;
}

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
