// What formats an event: a table of functions for each subject, joined in format-event.ts.
import type { FactName, FactOf, OfLane } from '../../event.ts';
import type { Line } from '../text/line.ts';
import type { RenderContext } from './render-context.ts';

export type WordingOptions = Readonly<{
  verbose: boolean;
  /** Folder of all runs, for the reader. Default `.git/pawl/runs`. */
  runs?: string;
}>;

export type FormatOf<F> = (fact: F & OfLane, how: WordingOptions, context: RenderContext) => readonly Line[];

/** A fact that is not here is told only with `verbose`, by its name and fields. */
export type Formats = Readonly<{ [N in FactName]?: FormatOf<FactOf<N>> }>;
