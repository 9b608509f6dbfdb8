// The plain scrolling view: lines that stay and can be copied and, on a terminal, one status line below that does not.
// It writes; what is said and how it is worded lies in format-event.ts, the line below in status-bar.ts.
import type { Event, Stamped } from '../../event.ts';
import { formatEvent, isLoud } from '../events/format-event.ts';
import { emptyContext, foldContext } from '../events/render-context.ts';
import { receiptLines } from '../receipt/receipt.ts';
import type { Reporter } from '../reporter.ts';
import { formatClock } from '../text/figure.ts';
import { cleanText, type Line } from '../text/line.ts';
import { paintLine } from '../text/paint.ts';
import { wrapText } from '../text/width.ts';
import type { Prompt } from './prompt-line.ts';
import { createStatusBar, type StatusBarOptions } from './status-bar.ts';

export type Level = 'quiet' | 'normal' | 'verbose';

/** How the terminal reporter writes. */
export type TerminalOptions = StatusBarOptions &
  Readonly<{
    level: Level;
    /** Puts the time of day before each fact. Default false. */
    times?: boolean;
    /** Folder of all runs, as seen from where the reader stands. Default `.git/pawl/runs`. */
    runs?: string;
  }>;

/** Lines that are written between the events, above the status line. */
export type Terminal = Reporter &
  Readonly<{
    print(lines: readonly Line[]): void;
    /** Takes what happened before this start: the status line counts it, nothing is said. */
    recall(event: Stamped<Event>): void;
    /** Shows the line a person types into in place of the status line; undefined: no more. */
    ask(prompt: Prompt | undefined): void;
    /** Shows what a start is waited for, epoch milliseconds; undefined: no more. */
    expect(startsAt: number | undefined): void;
    /** Takes the line at the bottom off the screen until the next drawing. */
    hide(): void;
    /** Keeps that line off the screen while somebody else uses it. */
    still(isStill: boolean): void;
  }>;

/** The terminal reporter; close it to stop its clock and to clear its status line. */
export function createTerminal(options: TerminalOptions): Terminal {
  const status = createStatusBar(options);
  const wording = {
    verbose: options.level === 'verbose',
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
    ...(options.runs === undefined ? {} : { runs: options.runs }),
    ...(options.root === undefined ? {} : { root: options.root }),
  };
  let context = emptyContext;
  const print = (lines: readonly Line[]) => {
    const broken = lines.flatMap((line) => breakLine(line, options));
    status.write(broken.map((line) => paintLine(line, options.colour, '')).join(''));
  };
  return {
    name: 'terminal',
    report: (event) => {
      const before = context;
      context = foldContext(context, event);
      status.fold(event);
      if (options.level === 'quiet' && !isLoud(event)) return status.refresh();
      const lines = formatEvent(event, wording, before).flatMap((line) => breakLine(line, options));
      if (lines.length === 0) return status.refresh();
      const time =
        options.times && event.type !== 'activity' ? formatClock(event.at, options.timeZone) : undefined;
      status.write(
        lines.map((line, index) => paintLine(line, options.colour, stampOf(options, time, index))).join(''),
      );
    },
    recall: (event) => status.fold(event),
    finish: ({ state, extra }) => print(receiptLines(state, { ...extra, endTold: true })),
    print,
    ask: (prompt) => status.ask(prompt),
    expect: (startsAt) => status.expect(startsAt),
    hide: () => status.hide(),
    still: (isStill) => status.still(isStill),
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

const blankTime = ' '.repeat(9);

function stampOf({ times }: TerminalOptions, time: string | undefined, index: number): string {
  if (!times) return '';
  return time !== undefined && index === 0 ? `${time} ` : blankTime;
}
