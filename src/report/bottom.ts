// The one line at the bottom of a terminal that does not stay: the run's status, or what a person types. It draws and erases;
// what it says is worded in status-line.ts and prompt-line.ts.
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import { foldLive, nothingYet } from './live.ts';
import { type Prompt, promptLine } from './prompt-line.ts';
import type { Reporter } from './reporter.ts';
import { statusLine } from './status-line.ts';

/** The least time between two drawings of a changed status line, milliseconds. */
export const redrawMs = 200;
const tickMs = 1000;

/** The terminal it stands on. */
export type BottomOptions = Readonly<{
  stream: Writable;
  /** A terminal that understands cursor movement: without one there is no status line and no control character. */
  isTty: boolean;
  /** Width now; asked again at each drawing. */
  columns: () => number;
  colour: boolean;
  /** Zone of times by IANA name; default the system's. */
  timeZone?: string;
  /** Root of the repository: taken off where a tool call begins with it. Default: nothing is. */
  root?: string;
  now: () => number;
  /** Calls back again and again until told to stop; default an unref'd `setInterval`. */
  every?: (ms: number, act: () => void) => () => void;
}>;

/** The line at the bottom. */
export type Bottom = Readonly<{
  take: Reporter['take'];
  /** Draws again if something changed and the last drawing is old enough. */
  refresh(): void;
  /** Writes whole lines above. */
  write(text: string): void;
  /** Shows the line a person types into instead; undefined: no more. */
  ask(prompt: Prompt | undefined): void;
  /** Shows that a start is waited for, epoch milliseconds; undefined: no more. */
  expect(startsAt: number | undefined): void;
  /** Erases the line until the next drawing. */
  hide(): void;
  /** Keeps the line off the screen while somebody else uses it. */
  still(isStill: boolean): void;
  close(): void;
}>;

/** The bottom line of a terminal; without one, only lines are written. */
export function createBottom(options: BottomOptions): Bottom {
  const { stream } = options;
  if (!options.isTty) {
    const nothing = () => {};
    const write = (text: string) => void stream.write(text);
    const refused = { ask: nothing, expect: nothing, hide: nothing, still: nothing, close: nothing };
    return { take: nothing, refresh: nothing, write, ...refused };
  }
  let live = nothingYet;
  let prompt: Prompt | undefined;
  let isStill = false;
  let shown = '';
  let madeAt = Number.NEGATIVE_INFINITY;
  let madeFor = 0;
  // The cursor rests at the line's start: when the window gets narrower, what wraps lies below it and is erased too.
  const erase = '\r\x1b[J';
  const draw = (): string => (shown === '' ? '' : `${paintStatus(shown, options.colour)}\r`);
  // Makes the line anew when it is old enough, or when it was made for another width.
  const make = (): void => {
    const now = options.now();
    const columns = options.columns();
    if (now - madeAt < redrawMs && columns === madeFor) return;
    madeAt = now;
    madeFor = columns;
    // One column stays free: many terminals wrap when the last one is written.
    const room = columns - 1;
    if (isStill) shown = '';
    else if (prompt) shown = promptLine(prompt, room);
    else shown = statusLine(live, now, { columns: room, timeZone: options.timeZone, root: options.root });
  };
  const refresh = (): void => {
    const before = shown;
    make();
    if (shown !== before) stream.write(erase + draw());
  };
  const stop = (options.every ?? everyTime)(tickMs, refresh);
  return {
    take: (event) => {
      live = foldLive(live, event);
      // The receipt follows at once, and nothing goes on below it.
      if (event.type === 'run-ended') madeAt = Number.NEGATIVE_INFINITY;
    },
    refresh,
    write: (text) => {
      make();
      stream.write(erase + text + draw());
    },
    ask: (next) => {
      prompt = next;
      madeAt = Number.NEGATIVE_INFINITY;
      refresh();
    },
    expect: (startsAt) => {
      live =
        startsAt === undefined ? nothingYet : { ...nothingYet, waiting: { why: 'start', until: startsAt } };
      madeAt = Number.NEGATIVE_INFINITY;
      refresh();
    },
    hide: () => {
      if (shown !== '') stream.write(erase);
      shown = '';
      madeAt = Number.NEGATIVE_INFINITY;
    },
    still: (on) => {
      isStill = on;
      madeAt = Number.NEGATIVE_INFINITY;
      refresh();
    },
    close: () => {
      stop();
      if (shown !== '') stream.write(erase);
      shown = '';
    },
  };
}

function paintStatus(text: string, colour: boolean): string {
  return colour ? styleText('inverse', text, { validateStream: false }) : text;
}

function everyTime(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
