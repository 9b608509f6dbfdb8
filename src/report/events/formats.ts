// What formats an event: a function for each type, in a table for each subject. format-event.ts joins the tables.
import type { Event, OfLane } from '../../event.ts';
import type { Line } from '../text/line.ts';
import type { RenderContext } from './render-context.ts';

export type WordingOptions = Readonly<{
  /** Shows every fact and every activity. */
  verbose: boolean;
  /** Folder of all runs, as a path for the reader. Default `.git/pawl/runs`. */
  runs?: string;
}>;

/** The lines of one event, for a reader who knows `context`. */
export type FormatOf<E extends Event> = (
  event: E & OfLane,
  how: WordingOptions,
  context: RenderContext,
) => readonly Line[];

/** Formats for some types of events. */
export type Formats = Readonly<{
  [T in Event['type']]?: FormatOf<Extract<Event, { type: T }>> | FormatsByState<Extract<Event, { type: T }>>;
}>;

/** One for each state of a type that has several. */
type FormatsByState<E extends Event> = E extends { state: string }
  ? Readonly<{ [S in E['state']]: FormatOf<Extract<E, { state: S }>> }>
  : never;
