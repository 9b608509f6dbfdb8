// What formats an event: a table of functions for each subject, joined in format-event.ts.
import type { Event, OfLane } from '../../event.ts';
import type { Line } from '../text/line.ts';
import type { RenderContext } from './render-context.ts';

export type WordingOptions = Readonly<{
  verbose: boolean;
  /** Folder of all runs, for the reader. Default `.git/pawl/runs`. */
  runs?: string;
}>;

export type FormatOf<E extends Event> = (
  event: E & OfLane,
  how: WordingOptions,
  context: RenderContext,
) => readonly Line[];

export type Formats = Readonly<{
  [T in Event['type']]?: FormatOf<Extract<Event, { type: T }>> | FormatsByState<Extract<Event, { type: T }>>;
}>;

type FormatsByState<E extends Event> = E extends { state: string }
  ? Readonly<{ [S in E['state']]: FormatOf<Extract<E, { state: S }>> }>
  : never;
