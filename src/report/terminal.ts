// The plain scrolling view: lines that stay and can be copied and, on a terminal, one status line below that does not.
// It writes and erases; what is said and how it is worded lies in wording.ts and status-line.ts.
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Event, Stamped } from '../event.ts';
import { wordClock } from './figure.ts';
import { cleanText, type Line, renderLine, type Tone } from './line.ts';
import { foldLive, nothingYet } from './live.ts';
import type { Reporter } from './reporter.ts';
import { emptyScene, foldScene } from './scene.ts';
import { statusLine } from './status-line.ts';
import { wrapText } from './width.ts';
import { isLoud, wordEvent } from './wording.ts';

export type Level = 'quiet' | 'normal' | 'verbose';

/** How the terminal reporter writes. */
export type TerminalOptions = Readonly<{
  stream: Writable;
  /** A terminal that understands cursor movement: without one there is no status line and no control character. */
  isTty: boolean;
  /** Width now; asked again at each drawing. */
  columns: () => number;
  colour: boolean;
  level: Level;
  /** Puts the time of day before each fact. Default false. */
  times?: boolean;
  /** Zone of times by IANA name; default the system's. */
  timeZone?: string;
  /** Folder of all runs, as seen from where the reader stands. Default `.git/pawl/runs`. */
  runs?: string;
  now: () => number;
  /** Calls back again and again until told to stop; default an unref'd `setInterval`. */
  every?: (ms: number, act: () => void) => () => void;
}>;

/** The least time between two drawings of a changed status line, milliseconds. */
export const redrawMs = 200;
const tickMs = 1000;

/** Lines that are written between the events, above the status line. */
export type Terminal = Reporter &
  Readonly<{
    print(lines: readonly Line[]): void;
    /** Takes what happened before this start: the status line counts it, nothing is said. */
    recall(event: Stamped<Event>): void;
  }>;

/** The terminal reporter; close it to stop its clock and to clear its status line. */
export function createTerminal(options: TerminalOptions): Terminal {
  const status = createStatus(options);
  const wording = {
    verbose: options.level === 'verbose',
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
    ...(options.runs === undefined ? {} : { runs: options.runs }),
  };
  let scene = emptyScene;
  return {
    take: (event) => {
      const before = scene;
      scene = foldScene(scene, event);
      status.take(event);
      if (options.level === 'quiet' && !isLoud(event)) return status.refresh();
      const lines = wordEvent(event, wording, before).flatMap((line) => breakLine(line, options));
      if (lines.length === 0) return status.refresh();
      const time =
        options.times && event.type !== 'activity' ? wordClock(event.at, options.timeZone) : undefined;
      status.write(
        lines.map((line, index) => paintLine(line, options.colour, stampOf(options, time, index))).join(''),
      );
    },
    recall: (event) => status.take(event),
    print: (lines) => status.write(lines.map((line) => paintLine(line, options.colour, '')).join('')),
    close: () => status.close(),
  };
}

/** Prose broken at blanks, where a terminal would break it within a word. */
function breakLine(line: Line, { isTty, columns }: TerminalOptions): readonly Line[] {
  if (!isTty || line.hang === undefined) return [line];
  const width = columns() - line.indent * 2;
  if (width < line.hang + fewestForProse) return [line];
  return wrapText(cleanText(line.text), width, line.hang).map((text) => ({ ...line, text }));
}

const fewestForProse = 16;

/** A line as bytes for the stream: indented, painted, ended. */
export function paintLine(line: Line, colour: boolean, prefix = ''): string {
  const text = prefix + renderLine(line);
  const format = styles[line.tone];
  return `${colour && format ? styleText(format, text, { validateStream: false }) : text}\n`;
}

const styles: Readonly<Record<Tone, Parameters<typeof styleText>[0] | undefined>> = {
  plain: undefined,
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  dim: 'dim',
  head: 'bold',
};

const blankTime = ' '.repeat(9);

function stampOf({ times }: TerminalOptions, time: string | undefined, index: number): string {
  if (!times) return '';
  return time !== undefined && index === 0 ? `${time} ` : blankTime;
}

type Status = Readonly<{
  take: Reporter['take'];
  /** Draws again if something changed and the last drawing is old enough. */
  refresh(): void;
  /** Writes whole lines above. */
  write(text: string): void;
  close(): void;
}>;

function createStatus(options: TerminalOptions): Status {
  const { stream } = options;
  if (!options.isTty) {
    return { take: () => {}, refresh: () => {}, write: (text) => void stream.write(text), close: () => {} };
  }
  let live = nothingYet;
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
    shown = statusLine(live, now, columns - 1);
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
