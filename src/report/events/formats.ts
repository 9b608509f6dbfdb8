// What formats an event: a function for each type, in a table for each subject. format-event.ts joins the tables.
import type { Event, OfLane } from '../../event.ts';
import type { Line } from '../text/line.ts';
import type { RenderContext } from './render-context.ts';

/** How much is said, and for whom. */
export type WordingOptions = Readonly<{
  /** Words every fact and every activity. */
  verbose: boolean;
  /** Folder of all runs, as seen from where the reader stands. Default `.git/pawl/runs`. */
  runs?: string;
  /** Root of the repository: taken off where a tool call begins with it. Default: nothing is. */
  root?: string;
}>;

/** The lines of one event, as one who knows `context` reads them. */
export type FormatOf<E extends Event> = (
  event: E & OfLane,
  how: WordingOptions,
  context: RenderContext,
) => readonly Line[];

/** A format for each of some types of events. */
export type Formats = Readonly<{ [T in Event['type']]?: FormatOf<Extract<Event, { type: T }>> }>;
